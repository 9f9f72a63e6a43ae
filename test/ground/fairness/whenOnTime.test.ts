// decisions P8: heavy work begins piece by piece, with turns of the event loop for others between.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { whenOnTime } from "../../../src/ground/fairness/whenOnTime.ts"

/** Holds the thread. */
const hold = (millis: number) => {
  const until = performance.now() + millis
  while (performance.now() < until);
}

describe("P8: a burst of heavy work", () => {
  it.live("leaves a turn to others between two pieces, in the order in which they came", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const burst = yield* Effect.forkChild(
        Effect.forEach(
          ["a", "b", "c"],
          (name) =>
            Effect.andThen(
              whenOnTime,
              Effect.sync(() => {
                seen.push(name)
                hold(20)
              })
            ),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      let going = true
      const others = () => {
        if (seen.at(-1) !== "turn") seen.push("turn")
        if (going) setImmediate(others)
      }
      others()
      yield* Fiber.join(burst)
      going = false
      assert.deepStrictEqual(
        seen.filter((name) => name !== "turn"),
        ["a", "b", "c"]
      )
      for (const [next, name] of [
        ["b", "a"],
        ["c", "b"]
      ] as const)
        assert.include(seen.slice(seen.indexOf(name), seen.indexOf(next)), "turn", `between ${name} and ${next}`)
    })
  )

  it.live("begins all the same where the loop is never on time, and who leaves holds nobody up", () =>
    Effect.gen(function* () {
      let going = true
      const busy = () => {
        hold(12)
        if (going) setImmediate(busy)
      }
      busy()
      const left = yield* Effect.forkChild(whenOnTime, { startImmediately: true })
      const stays = yield* Effect.forkChild(whenOnTime, { startImmediately: true })
      yield* Fiber.interrupt(left)
      yield* Fiber.join(stays)
      going = false
    })
  )
})
