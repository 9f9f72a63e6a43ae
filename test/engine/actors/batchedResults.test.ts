// decisions W1, W3: how results of deliveries are written together, and what becomes of those that cannot be.
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Result } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { Fenced } from "../../../src/engine/actors/ActorKind.ts"
import { makeBatchedResults } from "../../../src/engine/actors/batchedResults.ts"
import { submitted } from "../../../src/platform/sql/batching.ts"

type ResultWritten = Effect.Effect<void, Fenced | SqlError>

const FILL = (results: number) => (results < 4 ? 0 : 1)

/** Batches numbers; `write` says what comes of a group. */
const batching = Effect.fnUntraced(function* (write: (items: ReadonlyArray<number>) => ResultWritten, atMost = 512) {
  const groups: Array<ReadonlyArray<number>> = []
  const submit = yield* makeBatchedResults<number>({
    write: (items) => {
      groups.push(items)
      return write(items)
    },
    atMost,
    fill: FILL
  })
  return { groups, submit: submitted(submit) }
})

const submitAll = (submit: (item: number) => ResultWritten, items: ReadonlyArray<number>) =>
  Effect.all(
    items.map((item) => Effect.exit(submit(item))),
    { concurrency: "unbounded" }
  )

const errorOf = (exit: Exit.Exit<void, unknown>) =>
  Exit.isFailure(exit) ? Result.getOrUndefined(Cause.findError(exit.cause)) : undefined

describe("results that come together", () => {
  it.live("wait while a group is under way, and go in the next one, in their order", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { groups, submit } = yield* batching((items) => (items[0] === 1 ? Deferred.await(gate) : Effect.void))
      const firstFiber = yield* Effect.forkChild(submit(1), { startImmediately: true })
      yield* Effect.repeat(
        Effect.promise(() => new Promise(setImmediate)),
        { until: () => groups.length > 0 }
      )
      const restFiber = yield* Effect.forkChild(submitAll(submit, [2, 3, 4, 5, 6]), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(firstFiber)
      assert.isTrue((yield* Fiber.join(restFiber)).every(Exit.isSuccess))
      assert.deepStrictEqual(groups, [[1], [2, 3, 4, 5, 6]])
      yield* submit(7)
      assert.deepStrictEqual(groups.at(-1), [7])
    }).pipe(Effect.scoped)
  )

  it.live("are as many as may go at once", () =>
    Effect.gen(function* () {
      const { groups, submit } = yield* batching(() => Effect.sleep("1 millis"), 2)
      yield* submitAll(submit, [1, 2, 3, 4, 5])
      assert.deepStrictEqual(groups, [[1, 2], [3, 4], [5]])
    }).pipe(Effect.scoped)
  )

  it.live("are written one by one where the group cannot be: one that cannot takes no other with it", () =>
    Effect.gen(function* () {
      const { groups, submit } = yield* batching((items) =>
        Effect.andThen(Effect.sleep("1 millis"), items.includes(3) ? Effect.die(new Error("three")) : Effect.void)
      )
      const exits = yield* submitAll(submit, [1, 2, 3, 4])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
      assert.deepStrictEqual(groups, [[1, 2, 3, 4], [1], [2], [3], [4]])
    }).pipe(Effect.scoped)
  )

  it.live("are given up together once the fence is lost", () =>
    Effect.gen(function* () {
      const { groups, submit } = yield* batching((items) =>
        Effect.andThen(
          Effect.sleep("1 millis"),
          items.length > 1 ? Effect.fail(new Fenced({ actorKey: "webhooks/app/1" })) : Effect.void
        )
      )
      const exits = yield* submitAll(submit, [1, 2, 3])
      assert.deepStrictEqual(
        exits.map((exit) => errorOf(exit) instanceof Fenced),
        [true, true, true]
      )
      assert.deepStrictEqual(groups, [[1, 2, 3]])
    }).pipe(Effect.scoped)
  )

  it.live("are not written again where nobody knows whether they have been (W1)", () =>
    Effect.gen(function* () {
      const reason = new ConnectionError({ cause: undefined, message: "Connection closed", operation: "query" })
      const { groups, submit } = yield* batching((items) =>
        Effect.andThen(Effect.sleep("1 millis"), items.length > 1 ? Effect.fail(new SqlError({ reason })) : Effect.void)
      )
      const exits = yield* submitAll(submit, [1, 2, 3])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, false, false])
      assert.deepStrictEqual(groups, [[1, 2, 3]])
    }).pipe(Effect.scoped)
  )
})
