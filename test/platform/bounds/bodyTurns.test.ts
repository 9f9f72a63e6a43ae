// decisions P8: many large bodies at once leave the loop to those who need several turns of it.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { turnFor } from "../../../src/platform/bounds/bodyTurns.ts"
import { busyFor } from "../../support/turns.ts"

const LARGE = 1024 * 1024
/** Turns that a read takes from its first byte to its answer. */
const TURNS = 6

describe("turns of large bodies (P8)", () => {
  it.live("who needs several turns of the loop waits for one large body or two, not for one in each of them", () =>
    Effect.gen(function* () {
      let checkCount = 0
      const bodies = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 12 }),
          () =>
            Effect.andThen(
              turnFor(LARGE),
              Effect.sync(() => {
                busyFor(20)
                checkCount++
              })
            ),
          { concurrency: "unbounded" }
        )
      )
      const waitedFor: Array<number> = []
      while (checkCount < 12) {
        const countBefore = checkCount
        for (let iteration = 0; iteration < TURNS; iteration++) yield* Effect.promise(() => new Promise(setImmediate))
        waitedFor.push(checkCount - countBefore)
      }
      yield* Fiber.join(bodies)
      assert.isAtMost(Math.max(...waitedFor), 2)
    })
  )

  it.effect("what is small waits for nobody", () =>
    Effect.sync(() => {
      assert.strictEqual(turnFor(1024), Effect.void)
    })
  )
})
