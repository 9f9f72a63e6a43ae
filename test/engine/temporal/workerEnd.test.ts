// A worker of the SDK that fails, or is stopped, and does not come to an end: on a cluster whose databases were dropped it waited for its
// core for ever, and nobody polled its queue any more.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Endable, runToEnd } from "../../../src/engine/temporal/workerEnd.ts"

const worker = (run: Promise<void>) => {
  const fakeWorker = {
    state: "RUNNING",
    stops: 0,
    run: () => run,
    getState: () => fakeWorker.state,
    shutdown: () => {
      fakeWorker.stops++
      fakeWorker.state = "STOPPING"
    }
  }
  return fakeWorker satisfies Endable
}
const never = () => new Promise<void>(() => undefined)

describe("a worker of the SDK", () => {
  it.effect("that has failed and does not end is given up, so that another takes its place", () =>
    Effect.gen(function* () {
      const fakeWorker = worker(never())
      const running = yield* Effect.forkChild(Effect.exit(runToEnd(fakeWorker)))
      yield* TestClock.adjust("1 hour")
      assert.isUndefined(running.pollUnsafe())
      fakeWorker.state = "FAILED"
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* Fiber.join(running))._tag, "Failure")
      assert.strictEqual(fakeWorker.stops, 0)
    })
  )

  it.effect("that fails and ends is given up at once", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(runToEnd(worker(Promise.reject(new Error("Namespace not found")))))
      assert.strictEqual(error._tag, "TemporalFailed")
    })
  )

  it.effect("that is stopped is waited for, but not for ever", () =>
    Effect.gen(function* () {
      const fakeWorker = worker(never())
      const running = yield* Effect.forkChild(runToEnd(fakeWorker))
      yield* Effect.yieldNow
      const stopping = yield* Effect.forkChild(Fiber.interrupt(running))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(fakeWorker.stops, 1)
      assert.isUndefined(stopping.pollUnsafe())
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
    })
  )
})
