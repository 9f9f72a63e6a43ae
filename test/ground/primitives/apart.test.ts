// decisions P8: a thread that breaks takes nobody with it, and the next job has a new one.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeApart } from "../../../src/ground/primitives/apart.ts"

it.live("a thread that breaks between two jobs is nobody's error", () =>
  Effect.gen(function* () {
    const run = makeApart<string, string>(new URL("./support/straying.ts", import.meta.url), 10_000)
    assert.strictEqual(yield* run("one"), "one")
    // Asked before it is known to have broken, a job ends with it.
    assert.strictEqual(yield* Effect.retry(run("two"), { times: 10 }), "two")
    assert.strictEqual(yield* Effect.retry(run("three"), { times: 10 }), "three")
  })
)
