// What one user or one address may have open at once in a process.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeSlotsByKey } from "../../../src/platform/fairness/slotsByKey.ts"

it.effect("a key has so many slots, others have their own, and the end of the scope frees them", () =>
  Effect.gen(function* () {
    const slot = makeSlotsByKey(2)
    yield* Effect.scoped(
      Effect.gen(function* () {
        assert.deepStrictEqual(
          [yield* slot(1), yield* slot(1), yield* slot(1), yield* slot(2)],
          [true, true, false, true]
        )
      })
    )
    assert.isTrue(yield* Effect.scoped(slot(1)))
  })
)
