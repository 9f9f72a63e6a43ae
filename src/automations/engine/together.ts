// Steps of plain runs that are ready at about the same time are committed together: one transaction, and one statement for the
// rows of all of them. Where anything is wrong with one of them each is committed alone, and whose step failed stays apart.
import { Clock, Deferred, Effect, Exit, Queue, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { RecordWriter } from "../../records/RecordWriter.ts"
import type { Change, Core, Executed } from "./core.ts"
import type { Execution } from "./Execution.ts"
import { RunTaken } from "./Run.ts"
import { type RecordChange, StepFailed } from "./Step.ts"

/** A step that is ready to be committed. */
export interface Ready {
  readonly execution: Execution
  /** Goes in first. */
  readonly record: RecordChange | null
  /** Acts inside the transaction and answers what it leaves; begun anew when the transaction is repeated. */
  readonly act: Effect.Effect<Change, StepFailed | SqlError>
}

export interface Together {
  /** Commits the step, with others or alone. */
  readonly together: (ready: Ready) => Effect.Effect<void, StepFailed | RunTaken | SqlError>
  /** In a transaction. */
  readonly change: (records: ReadonlyArray<RecordChange>) => Effect.Effect<void, StepFailed | SqlError>
}

interface Waiting extends Ready {
  /** Whether it has been committed; otherwise it is left to itself. */
  readonly done: Deferred.Deferred<boolean>
}

/** Transactions at once: while they are under way the next fills. */
const AT_ONCE = 2
const STEPS_AT_MOST = 50
/** An automation whose step has failed is left to itself for so long. */
const APART_MILLIS = 60_000
/** Whoever holds a record for longer makes its own run wait, not all of them. */
const LOCK_MILLIS = 200

/** The first of each record, by record as all writers lock them; the others must see what it does. */
const oneEach = (all: ReadonlyArray<Waiting>) => {
  const first = new Map<number | string, Waiting>()
  const rest: Array<Waiting> = []
  for (const one of all) {
    const { record_id, run_id } = one.execution.run
    const key = record_id ?? run_id
    if (first.has(key)) rest.push(one)
    else first.set(key, one)
  }
  const group = [...first.values()].sort((a, b) => (a.execution.run.record_id ?? 0) - (b.execution.run.record_id ?? 0))
  return { group, rest }
}

export const makeTogether = Effect.fnUntraced(function* (
  core: Core
): Effect.fn.Return<Together, never, RecordWriter | Scope.Scope> {
  const { commit, commitAll, guarded, sql, transaction } = core
  const writer = yield* RecordWriter
  const queue = yield* Queue.unbounded<Waiting>()
  const apart = new Map<number, number>()
  const bounded = sql`SELECT set_config('lock_timeout', ${String(LOCK_MILLIS)}, true)`

  const change = Effect.fnUntraced(function* (records: ReadonlyArray<RecordChange>) {
    for (const appId of new Set(records.map(({ app_id }) => app_id))) {
      const of = records.filter(({ app_id }) => app_id === appId)
      yield* guarded(Effect.mapError(writer.updateEach(appId, of), ({ message }) => new StepFailed({ message })))
    }
  })

  const attempt = (group: ReadonlyArray<Waiting>): Executed<void> =>
    sql.withTransaction(
      Effect.gen(function* () {
        const acts = Effect.forEach(
          group,
          ({ act, execution }) => Effect.map(act, (change) => ({ execution, change })),
          { concurrency: "unbounded" }
        )
        yield* Effect.all([bounded, change(group.flatMap(({ record }) => record ?? []))], { concurrency: "unbounded" })
        const all = yield* acts
        const written = yield* commitAll(all)
        const lost = group.find(({ execution }) => !written.has(execution.run.run_id))
        if (lost !== undefined) return yield* new RunTaken({ runId: lost.execution.run.run_id })
      })
    ) as Executed<void>

  const round = Effect.gen(function* () {
    const { group, rest } = oneEach(yield* Queue.takeBetween(queue, 1, STEPS_AT_MOST))
    if (rest.length > 0) yield* Queue.offerAll(queue, rest)
    const committed = group.length > 1 && Exit.isSuccess(yield* Effect.exit(attempt(group)))
    for (const { done } of group) yield* Deferred.succeed(done, committed)
  })
  yield* Effect.forEach(Array.from({ length: AT_ONCE }), () => Effect.forkScoped(Effect.forever(round)), {
    discard: true
  })

  const alone = ({ act, execution, record }: Ready) =>
    transaction(
      Effect.andThen(
        change(record === null ? [] : [record]),
        Effect.flatMap(act, (left) => commit(execution, left))
      )
    ).pipe(
      Effect.tapErrorTag("StepFailed", () =>
        Effect.map(Clock.currentTimeMillis, (now) => void apart.set(execution.run.automation_id, now + APART_MILLIS))
      )
    )

  const together: Together["together"] = Effect.fnUntraced(function* (ready) {
    const id = ready.execution.run.automation_id
    if ((apart.get(id) ?? 0) > (yield* Clock.currentTimeMillis)) return yield* alone(ready)
    apart.delete(id)
    const done = yield* Deferred.make<boolean>()
    yield* Queue.offer(queue, { ...ready, done })
    if (!(yield* Deferred.await(done))) yield* alone(ready)
  })
  return { change, together }
})
