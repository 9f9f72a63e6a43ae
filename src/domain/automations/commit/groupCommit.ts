// What is ready at about the same time is committed together: while one transaction is under way the next fills.
import { Deferred, Effect, Exit, Queue, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { RunContext } from "../run/RunContext.ts"

/** Transactions at once. */
const AT_ONCE = 2
const AT_MOST = 50
/** Whoever holds a row for longer makes its own run wait, not all of them. */
const LOCK_MILLIS = 200

interface Ready {
  readonly context: RunContext
}

/** The first of each record, by record as all writers lock them; the others must see what it does. */
const oneEach = <A extends Ready>(all: ReadonlyArray<Waiting<A>>) => {
  const first = new Map<number | string, Waiting<A>>()
  const rest: Array<Waiting<A>> = []
  for (const waiting of all) {
    const { record_id, run_id } = waiting.ready.context.run
    const key = record_id ?? run_id
    if (first.has(key)) rest.push(waiting)
    else first.set(key, waiting)
  }
  const recordOf = ({ ready }: Waiting<A>) => ready.context.run.record_id ?? 0
  return { group: [...first.values()].sort((a, b) => recordOf(a) - recordOf(b)), rest }
}

interface Waiting<A> {
  readonly ready: A
  /** Whether it has been committed. */
  readonly done: Deferred.Deferred<boolean>
}

/**
 * `commit` runs in a transaction. What comes out says whether that went in: where anything is wrong with one of them, or it is the
 * only one, it is left to its caller.
 */
export const makeLine = Effect.fnUntraced(function* <A extends Ready, E>(
  commit: (group: ReadonlyArray<A>) => Effect.Effect<void, E>
): Effect.fn.Return<(ready: A) => Effect.Effect<boolean>, never, Scope.Scope | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue.unbounded<Waiting<A>>()
  const bounded = sql`SELECT set_config('lock_timeout', ${String(LOCK_MILLIS)}, true)`

  const round = Effect.gen(function* () {
    const { group, rest } = oneEach(yield* Queue.takeBetween(queue, 1, AT_MOST))
    if (rest.length > 0) yield* Queue.offerAll(queue, rest)
    const work = Effect.all([bounded, commit(group.map(({ ready }) => ready))], { concurrency: "unbounded" })
    const committed = group.length > 1 && Exit.isSuccess(yield* Effect.exit(sql.withTransaction(work)))
    for (const { done } of group) yield* Deferred.succeed(done, committed)
  })
  yield* Effect.forEach(Array.from({ length: AT_ONCE }), () => Effect.forkScoped(Effect.forever(round)), {
    discard: true
  })

  return Effect.fnUntraced(function* (ready: A) {
    const done = yield* Deferred.make<boolean>()
    yield* Queue.offer(queue, { ready, done })
    return yield* Deferred.await(done)
  })
})
