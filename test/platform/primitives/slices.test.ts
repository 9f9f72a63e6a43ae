// decisions P8: work over many things gives others their turn.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inSlices } from "../../../src/platform/primitives/slices.ts"
import { busyFor, duringTurns } from "../../support/turns.ts"

describe("work in slices (P8)", () => {
  it.live("a thousand milliseconds of work hold no turn of the loop for more than some of them", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: 200 }, (_, index) => index)
      const [done, turns] = yield* duringTurns(
        inSlices(items, (item, index) => {
          busyFor(5)
          return item + index
        })
      )
      assert.deepStrictEqual(
        done,
        items.map((item) => 2 * item)
      )
      assert.isAbove(turns.total, 900)
      assert.isBelow(turns.longest, 200)
      assert.isBelow(turns.meanOver(5), 50)
    })
  )

  it.effect("a few light things are done at once, none at all too", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* inSlices([1, 2], (item) => -item), [-1, -2])
      assert.deepStrictEqual(yield* inSlices([], String), [])
    })
  )

  it.effect("what fails fails the whole", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        inSlices([1], () => {
          throw new Error("no")
        })
      )
      assert.strictEqual(exit._tag, "Failure")
    })
  )
})
