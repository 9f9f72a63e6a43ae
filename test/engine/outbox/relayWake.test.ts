// How a process without a relay tells the others of its changes (docs/architecture/flow.md, one flow): at once, and in a stream seldom.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { coalesced } from "../../../src/engine/outbox/RelayWake.ts"

const counting = Effect.gen(function* () {
  let wakeCount = 0
  const wake = yield* coalesced(
    Effect.sync(() => {
      wakeCount += 1
    })
  )
  const pass = (millis: number) => TestClock.adjust(`${millis} millis`)
  const poked = Effect.andThen(wake.poke, pass(0))
  return { poked, pass, told: () => wakeCount }
})

describe("hints to relays elsewhere", () => {
  it.effect("a change is told of at once, and so is the next one after a pause", () =>
    Effect.gen(function* () {
      const { pass, poked, told } = yield* counting
      yield* poked
      assert.strictEqual(told(), 1)
      yield* pass(6)
      yield* poked
      assert.strictEqual(told(), 2)
    })
  )

  it.effect("what comes meanwhile is told of together, five milliseconds later", () =>
    Effect.gen(function* () {
      const { pass, poked, told } = yield* counting
      for (let i = 0; i < 10; i++) yield* poked
      assert.strictEqual(told(), 1)
      yield* pass(5)
      assert.strictEqual(told(), 2)
      yield* pass(1_000)
      assert.strictEqual(told(), 2)
    })
  )

  it.effect("a stream without a pause is told of every twenty milliseconds, and a change after it at once", () =>
    Effect.gen(function* () {
      const { pass, poked, told } = yield* counting
      for (let i = 0; i < 1_000; i++) {
        yield* poked
        yield* pass(1)
      }
      assert.isAtLeast(told(), 1_000 / 20)
      assert.isAtMost(told(), 1_000 / 20 + 4)
      yield* pass(100)
      const countBefore = told()
      yield* poked
      yield* pass(5)
      yield* poked
      yield* pass(5)
      assert.strictEqual(told(), countBefore + 2)
    })
  )
})
