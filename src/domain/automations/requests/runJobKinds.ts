// Cancels, retries and deletes runs by the hundred, as jobs (developer-api.md 7.11). A batch takes the next runs of the selection, the oldest
// first, as the caller sees them at that moment.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type BatchResult, type JobBatch, JobEnded, type JobKind } from "../../jobs/JobKind.ts"
import { makeCancelRuns } from "../run/cancelRuns.ts"
import { makeDeleteRuns } from "../run/deleteRuns.ts"
import { isAwaited } from "../run/waitingRequests.ts"
import { RunJobInput, type RunJobKind, worksOn } from "./runJobInput.ts"
import { makeRunRetries } from "./runRetries.ts"
import { FROM_RUNS, makeRunSelection } from "./runSelection.ts"
import { RunRecord, runColumns } from "./runViews.ts"

/** Runs of one batch: a retry takes some statements, the others are one for all. */
const AT_ONCE = { run_cancel: 100, run_retry: 25, run_delete: 200 } as const satisfies Record<RunJobKind, number>

const ChosenRun = Schema.Struct({
  ...RunRecord.fields,
  org_id: Schema.Int,
  broken: Schema.Boolean,
  /** A run that retries it already. */
  retried_by: Schema.NullOr(Schema.String)
})
type ChosenRun = typeof ChosenRun.Type

/** Outcome for the runs of a batch: what became of those that were not skipped, and why the others were. */
interface Outcome {
  readonly name: string
  readonly skipped: ReadonlyMap<string, string>
}

export const runJobKinds = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox
  const { selectionOf } = makeRunSelection(sql)
  const cancelRuns = makeCancelRuns(sql, outbox)
  const deleteRuns = makeDeleteRuns(sql)
  const retryRun = makeRunRetries(sql, outbox)
  const idList = (runs: ReadonlyArray<ChosenRun>) => sql`ANY(${runs.map(({ run_id }) => run_id)}::text[]::bigint[])`

  const nextRuns = Effect.fnUntraced(function* (
    kind: RunJobKind,
    { caller, position }: JobBatch,
    { filters, through }: RunJobInput
  ) {
    const selection = yield* selectionOf(caller, { kind: "all" }, filters).pipe(
      Effect.catchTag("NotFound", ({ message }) => Effect.fail(new JobEnded({ message })))
    )
    return yield* rowsOf(ChosenRun)(sql`
      SELECT ${sql.literal(runColumns)}, r.org_id, x.broken,
        (SELECT min(n.run_id)::text FROM runs n WHERE n.retry_of_run_id = r.run_id) AS retried_by
      ${sql.literal(FROM_RUNS)}
      WHERE ${selection} AND r.status = ANY(${[...worksOn[kind]]}::text[])
        AND r.run_id > ${position ?? "0"}::bigint AND r.run_id <= ${through}::bigint
      ORDER BY r.run_id LIMIT ${AT_ONCE[kind]}::int`)
  })

  const cancel = Effect.fnUntraced(function* (runs: ReadonlyArray<ChosenRun>) {
    const cancelledAt = new Date(yield* Clock.currentTimeMillis)
    const ids = runs.map(({ run_id }) => run_id)
    const cancelled = new Set((yield* cancelRuns(ids, { at: cancelledAt, reason: null })).map(({ run_id }) => run_id))
    const skipped = new Map(ids.filter((id) => !cancelled.has(id)).map((id) => [id, "The run is over already."]))
    return { name: "cancelled", skipped } satisfies Outcome
  })

  const retry = Effect.fnUntraced(function* (runs: ReadonlyArray<ChosenRun>, input: RunJobInput) {
    const skipped = new Map<string, string>()
    for (const run of runs) {
      if (run.broken) skipped.set(run.run_id, "The automation is broken.")
      else if (run.retried_by !== null) skipped.set(run.run_id, `Run ${run.retried_by} retries it already.`)
      else {
        yield* retryRun(input.origin === undefined ? {} : { origin: input.origin }, run, input.retry ?? {}, true).pipe(
          Effect.catchTag("Conflict", ({ message }) => Effect.sync(() => skipped.set(run.run_id, message)))
        )
      }
    }
    return { name: "retried", skipped } satisfies Outcome
  })

  const remove = Effect.fnUntraced(function* (runs: ReadonlyArray<ChosenRun>) {
    const deleted = new Set(
      yield* deleteRuns(sql`
        SELECT r.run_id FROM runs r WHERE r.run_id = ${idList(runs)} AND r.completed_on IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM runs n WHERE n.retry_of_run_id = r.run_id AND n.completed_on IS NULL)
          AND NOT EXISTS (SELECT 1 FROM run_calls c JOIN runs o ON o.run_id = c.run_id
            WHERE c.called_run_id = r.run_id AND o.completed_on IS NULL)
          AND NOT ${isAwaited(sql, "r.run_id")}
        FOR UPDATE OF r SKIP LOCKED`)
    )
    const leftRuns = runs.filter(({ run_id }) => !deleted.has(run_id))
    const skipped = new Map(leftRuns.map(({ run_id }) => [run_id, "Something that is not over needs it still."]))
    return { name: "deleted", skipped } satisfies Outcome
  })

  const acts: Readonly<
    Record<RunJobKind, (runs: ReadonlyArray<ChosenRun>, input: RunJobInput) => Effect.Effect<Outcome, SqlError>>
  > = { run_cancel: cancel, run_retry: retry, run_delete: remove }

  const kindOf = (name: RunJobKind): JobKind => ({
    name,
    batch: Effect.fnUntraced(function* (batch: JobBatch): Effect.fn.Return<BatchResult, JobEnded | SqlError> {
      const input = yield* Effect.orDie(Schema.decodeUnknownEffect(RunJobInput)(batch.input))
      const runs = yield* nextRuns(name, batch, input)
      if (runs.length === 0) return { position: batch.position, done: 0, counts: {}, report: [], over: true }
      const outcome = yield* acts[name](runs, input)
      const { size: skipped } = outcome.skipped
      return {
        position: runs.at(-1)!.run_id,
        done: runs.length,
        counts: { [outcome.name]: runs.length - skipped, ...(skipped === 0 ? {} : { skipped }) },
        report: [...outcome.skipped].map(([id, message]) => ({ id, message })),
        over: runs.length < AT_ONCE[name]
      }
    })
  })

  return (Object.keys(worksOn) as Array<RunJobKind>).map(kindOf)
})
