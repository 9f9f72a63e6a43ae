// What many callers submit at about the same time goes in one batch (platform/sql/batching.ts). Lookups are tried in together.test.ts, results
// of actors in test/engine/actors/batchedResults.test.ts.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { type Batching, makeScopedBatcher, submitted } from "../../../src/platform/sql/batching.ts"

/** Each batch waits until it is let go. */
const makeGated = Effect.fnUntraced(function* (options: Partial<Batching<number, number, string>> = {}) {
  const batches: Array<{ readonly items: ReadonlyArray<number>; readonly go: Deferred.Deferred<void> }> = []
  const submit = yield* makeScopedBatcher<number, number, string>({
    atMost: 3,
    run: (items) => {
      const go = Deferred.makeUnsafe<void>()
      batches.push({ items, go })
      return Effect.as(Deferred.await(go), items.map(Exit.succeed))
    },
    ...options
  })
  const awaitBatches = (count: number) =>
    Effect.repeat(
      Effect.promise(() => new Promise(setImmediate)),
      { until: () => batches.length >= count }
    )
  return { batches, awaitBatches, submit: submitted(submit) }
})

describe("a batch", () => {
  it.live("has those that come in one turn of the event loop, as many as may go at once", () =>
    Effect.gen(function* () {
      const { batches, awaitBatches, submit } = yield* makeGated()
      const fibers = []
      for (const item of [1, 2, 3, 4]) fibers.push(yield* Effect.forkChild(submit(item), { startImmediately: true }))
      yield* awaitBatches(1)
      yield* Deferred.succeed(batches[0]!.go, undefined)
      yield* awaitBatches(2)
      yield* Deferred.succeed(batches[1]!.go, undefined)
      assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [1, 2, 3, 4])
      assert.deepStrictEqual(
        batches.map(({ items }) => items),
        [[1, 2, 3], [4]]
      )
    }).pipe(Effect.scoped)
  )

  it.live("behind one of many waits for more, unless it is full", () =>
    Effect.gen(function* () {
      const { batches, awaitBatches, submit } = yield* makeGated({ fill: (items) => (items < 2 ? 0 : 60_000) })
      const fibers = []
      for (const item of [1, 2, 3, 4, 5, 6, 7])
        fibers.push(yield* Effect.forkChild(submit(item), { startImmediately: true }))
      yield* awaitBatches(1)
      yield* Deferred.succeed(batches[0]!.go, undefined)
      // Waiting for more, it would outlast the test.
      yield* awaitBatches(2)
      yield* Deferred.succeed(batches[1]!.go, undefined)
      yield* Fiber.joinAll(fibers.slice(0, 6))
      yield* Effect.promise(() => new Promise(setImmediate))
      assert.deepStrictEqual(
        batches.map(({ items }) => items),
        [
          [1, 2, 3],
          [4, 5, 6]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("leaves out an item whose caller was interrupted before it began", () =>
    Effect.gen(function* () {
      const { batches, awaitBatches, submit } = yield* makeGated({ atMost: 1 })
      const firstFiber = yield* Effect.forkChild(submit(1), { startImmediately: true })
      yield* awaitBatches(1)
      const second = yield* Effect.forkChild(submit(2), { startImmediately: true })
      const third = yield* Effect.forkChild(submit(3), { startImmediately: true })
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(batches[0]!.go, undefined)
      yield* awaitBatches(2)
      yield* Deferred.succeed(batches[1]!.go, undefined)
      assert.deepStrictEqual(yield* Fiber.joinAll([firstFiber, third]), [1, 3])
      assert.deepStrictEqual(
        batches.map(({ items }) => items),
        [[1], [3]]
      )
    }).pipe(Effect.scoped)
  )

  it.live("keeps apart items that share a value, in their order", () =>
    Effect.gen(function* () {
      const groups: Array<ReadonlyArray<number>> = []
      const submit = submitted(
        yield* makeScopedBatcher<number, number, string>({
          atMost: 3,
          sharedValue: (item) => item % 10,
          run: (items) => {
            groups.push(items)
            return Effect.succeed(items.map(Exit.succeed))
          }
        })
      )
      yield* Effect.all([1, 11, 2, 21].map(submit), { concurrency: "unbounded" })
      assert.deepStrictEqual(groups, [[1, 2], [11], [21]])
    }).pipe(Effect.scoped)
  )

  it.live("begins beside another one with what does not fit, while a lane is free", () =>
    Effect.gen(function* () {
      const { batches, awaitBatches, submit } = yield* makeGated({ atMost: 1, lanes: 2 })
      const fibers = []
      for (const item of [1, 2, 3]) fibers.push(yield* Effect.forkChild(submit(item), { startImmediately: true }))
      yield* awaitBatches(2)
      assert.strictEqual(batches.length, 2)
      yield* Deferred.succeed(batches[1]!.go, undefined)
      yield* awaitBatches(3)
      for (const { go } of batches) yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [1, 2, 3])
    }).pipe(Effect.scoped)
  )

  it.live("that fails or leaves out an answer fails its own callers, and the next one goes on", () =>
    Effect.gen(function* () {
      const submit = submitted(
        yield* makeScopedBatcher<number, number, string>({
          atMost: 2,
          run: (items) => (items.includes(13) ? Effect.fail("thirteen") : Effect.succeed([Exit.succeed(items[0]!)]))
        })
      )
      const exits = yield* Effect.all(
        [12, 13, 1, 2].map((item) => Effect.exit(submit(item))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(exits.slice(0, 3), [Exit.fail("thirteen"), Exit.fail("thirteen"), Exit.succeed(1)])
      assert.isTrue(Exit.isFailure(exits[3]!) && Exit.hasDies(exits[3]))
      assert.strictEqual(yield* submit(7), 7)
    }).pipe(Effect.scoped)
  )
})
