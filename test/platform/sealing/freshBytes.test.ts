// Credentials are drawn many at once, and each is given out once.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshText } from "../../../src/platform/sealing/freshBytes.ts"

it.effect("each is 32 bytes that no other one is, over several draws", () =>
  Effect.sync(() => {
    const freshTexts = Array.from({ length: 1000 }, freshText)
    assert.strictEqual(new Set(freshTexts).size, freshTexts.length)
    for (const text of freshTexts) assert.lengthOf(Buffer.from(text, "base64url"), 32)
    // What is wiped, or not drawn yet, would show as zeros.
    for (const text of freshTexts) assert.notInclude(text, "AAAAAAAA")
  })
)
