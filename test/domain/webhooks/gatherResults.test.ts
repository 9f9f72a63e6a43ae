// decisions W1, W3: how results of deliveries are written together, and what becomes of those that cannot be.
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Result } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { makeGather, type ResultWritten } from "../../../src/domain/webhooks/gatherResults.ts"
import { Fenced } from "../../../src/engine/actors/ActorKind.ts"

const FILL = { behind: 4, millis: 1 }

/** Gathers numbers; `write` says what comes of a group. */
const gathering = (write: (items: ReadonlyArray<number>) => ResultWritten, atMost = 512) => {
  const groups: Array<ReadonlyArray<number>> = []
  const gather = makeGather<number>({
    write: (items) => {
      groups.push(items)
      return write(items)
    },
    atMost,
    fill: FILL
  })
  const submit = (item: number): ResultWritten => Effect.callback((resume) => Effect.sync(gather(item, resume)))
  return { groups, submit }
}

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
      const { groups, submit } = gathering((items) => (items[0] === 1 ? Deferred.await(gate) : Effect.void))
      const firstFiber = yield* Effect.forkChild(submit(1), { startImmediately: true })
      const restFiber = yield* Effect.forkChild(submitAll(submit, [2, 3, 4, 5, 6]), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(firstFiber)
      assert.isTrue((yield* Fiber.join(restFiber)).every(Exit.isSuccess))
      assert.deepStrictEqual(groups, [[1], [2, 3, 4, 5, 6]])
      yield* submit(7)
      assert.deepStrictEqual(groups.at(-1), [7])
    })
  )

  it.live("are as many as may go at once", () =>
    Effect.gen(function* () {
      const { groups, submit } = gathering(() => Effect.sleep("1 millis"), 2)
      yield* submitAll(submit, [1, 2, 3, 4, 5])
      assert.deepStrictEqual(groups, [[1], [2, 3], [4, 5]])
    })
  )

  it.live("are written one by one where the group cannot be: one that cannot takes no other with it", () =>
    Effect.gen(function* () {
      const { groups, submit } = gathering((items) =>
        Effect.andThen(Effect.sleep("1 millis"), items.includes(3) ? Effect.die(new Error("three")) : Effect.void)
      )
      const exits = yield* submitAll(submit, [1, 2, 3, 4])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
      assert.deepStrictEqual(groups, [[1], [2, 3, 4], [2], [3], [4]])
    })
  )

  it.live("are given up together once the fence is lost", () =>
    Effect.gen(function* () {
      const { groups, submit } = gathering((items) =>
        Effect.andThen(
          Effect.sleep("1 millis"),
          items.length > 1 ? Effect.fail(new Fenced({ actorKey: "webhooks/app/1" })) : Effect.void
        )
      )
      const exits = yield* submitAll(submit, [1, 2, 3])
      assert.deepStrictEqual(
        exits.map((exit) => errorOf(exit) instanceof Fenced),
        [false, true, true]
      )
      assert.deepStrictEqual(groups, [[1], [2, 3]])
    })
  )

  it.live("are not written again where nobody knows whether they have been (W1)", () =>
    Effect.gen(function* () {
      const reason = new ConnectionError({ cause: undefined, message: "Connection closed", operation: "query" })
      const { groups, submit } = gathering((items) =>
        Effect.andThen(Effect.sleep("1 millis"), items.length > 1 ? Effect.fail(new SqlError({ reason })) : Effect.void)
      )
      const exits = yield* submitAll(submit, [1, 2, 3])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, false])
      assert.deepStrictEqual(groups, [[1], [2, 3]])
    })
  )
})
