// decisions P8: heavy work begins piece by piece, with turns of the event loop for others between.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { loopLagDelay } from "../../../src/platform/fairness/loopLagDelay.ts"

/** Holds the thread. */
const hold = (millis: number) => {
  const until = performance.now() + millis
  while (performance.now() < until);
}

describe("P8: a burst of heavy work", () => {
  it.live("leaves a turn to others between two pieces, in the order in which they came", () =>
    Effect.gen(function* () {
      const names: Array<string> = []
      const burst = yield* Effect.forkChild(
        Effect.forEach(
          ["a", "b", "c"],
          (name) =>
            Effect.andThen(
              loopLagDelay,
              Effect.sync(() => {
                names.push(name)
                hold(20)
              })
            ),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      let isRunning = true
      const tick = () => {
        if (names.at(-1) !== "turn") names.push("turn")
        if (isRunning) setImmediate(tick)
      }
      tick()
      yield* Fiber.join(burst)
      isRunning = false
      assert.deepStrictEqual(
        names.filter((name) => name !== "turn"),
        ["a", "b", "c"]
      )
      for (const [next, name] of [
        ["b", "a"],
        ["c", "b"]
      ] as const)
        assert.include(names.slice(names.indexOf(name), names.indexOf(next)), "turn", `between ${name} and ${next}`)
    })
  )

  it.live("begins all the same where the loop is never on time, and who leaves holds nobody up", () =>
    Effect.gen(function* () {
      let isRunning = true
      const busy = () => {
        hold(12)
        if (isRunning) setImmediate(busy)
      }
      busy()
      const leaverFiber = yield* Effect.forkChild(loopLagDelay, { startImmediately: true })
      const stays = yield* Effect.forkChild(loopLagDelay, { startImmediately: true })
      yield* Fiber.interrupt(leaverFiber)
      yield* Fiber.join(stays)
      isRunning = false
    })
  )
})
