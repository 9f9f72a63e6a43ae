// A wait counts the time in which nothing changes: what gets on, however slowly, is waited for.
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Ref } from "effect"
import { TestClock } from "effect/testing"
import { eventually } from "./eventually.ts"

const BOUND = 1_000

/** Outcome of a wait whose value is one more every `stepMillis`, until it stands at `last`. */
const waitFor = (wanted: number, last: number, stepMillis: number) =>
  Effect.gen(function* () {
    const count = yield* Ref.make(0)
    const waiting = yield* Effect.forkChild(eventually("the count", Ref.get(count), (n) => n >= wanted, BOUND))
    for (let n = 1; n <= last; n++) {
      yield* TestClock.adjust(stepMillis)
      yield* Ref.set(count, n)
    }
    yield* TestClock.adjust(4 * BOUND)
    return yield* Fiber.await(waiting)
  })

describe("eventually", () => {
  it.effect("waits beyond its bound while the value changes", () =>
    Effect.gen(function* () {
      assert.isTrue(Exit.isSuccess(yield* waitFor(4, 4, 600)))
    })
  )

  it.effect("ends when nothing changes for so long, and says what was seen last", () =>
    Effect.gen(function* () {
      const exit = yield* waitFor(4, 2, 100)
      assert.isTrue(Exit.isFailure(exit) && /the count: not within 1 s[\s\S]*at last: 2/.test(Cause.pretty(exit.cause)))
    })
  )

  it.effect("looks less often the longer it lasts, and at least four times in a second", () =>
    Effect.gen(function* () {
      let queryCount = 0
      const query = Effect.sync(() => ++queryCount)
      yield* Effect.forkChild(eventually("nothing", query, () => false, 20 * BOUND))
      const queriesIn = (millis: number) => {
        const countBefore = queryCount
        return Effect.map(TestClock.adjust(millis), () => queryCount - countBefore)
      }
      assert.isAtLeast(yield* queriesIn(200), 8)
      assert.isAtMost(yield* queriesIn(9_800), 60)
      assert.strictEqual(yield* queriesIn(1_000), 4)
    })
  )

  it.effect("ends after three bounds whatever changes", () =>
    Effect.gen(function* () {
      assert.isTrue(Exit.isFailure(yield* waitFor(100, 99, 100)))
    })
  )
})
