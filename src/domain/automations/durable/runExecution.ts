// Common begin and end of each execution of a run: loads its revision, bounds its time, and reports the next directive (developer-api.md
// 7.11 run semantics 5 to 7).
import { Clock, Effect, Schema } from "effect"
import { Draining } from "../../../engine/temporal/Draining.ts"
import { Epoch } from "../../../engine/temporal/Epoch.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { caused } from "../../../platform/telemetry/traceContext.ts"
import type { InboxRow } from "../run/commitStatement.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { RevisionCache } from "../run/RevisionCache.ts"
import type { RunContext } from "../run/RunContext.ts"
import { RunContextFactory } from "../run/RunContextFactory.ts"
import type { LoadedRun } from "../run/RunRow.ts"
import type { SliceLimits } from "../run/runLimits.ts"
import { progressOf, RunStanding } from "../run/runProgress.ts"
import type { SegmentEnd } from "../steps/segmentEnds.ts"
import { done, toDirective } from "./runDirectives.ts"

/** Span of one execution of a run, in the trace in which the run began. */
export const segmentOf = ({ run }: LoadedRun) =>
  caused(run.traceparent, "run segment", {
    attributes: { "millrace.run.id": run.run_id, "millrace.automation.id": run.automation_id }
  })

export const segmentTold = (run: string, { type, ...rest }: SegmentEnd) =>
  Effect.logDebug(`a segment of the run ends: ${"ending" in rest ? rest.ending.status : type}`).pipe(
    Effect.annotateLogs({ run })
  )

const SettledRun = Schema.Struct({
  ...RunStanding.fields,
  org_id: Schema.Int,
  failure_reason: Schema.NullOr(Schema.String),
  error_message: Schema.NullOr(Schema.String),
  revision_id: Schema.String
})

export const makeExecution = Effect.gen(function* () {
  const sql = yield* Sql
  const revisions = yield* RevisionCache
  const contexts = yield* RunContextFactory
  const runSlots = yield* OrganizationSlots
  const draining = yield* Draining
  const epoch = yield* Epoch
  const millis = Clock.currentTimeMillis

  const openContext = Effect.fnUntraced(function* (loaded: LoadedRun, row: InboxRow | null) {
    const revision = yield* revisions.get(loaded.run.revision_id)
    if (revision === null) return yield* Effect.die(new Error(`the revision of run ${loaded.run.run_id} is gone`))
    return contexts.make(loaded, revision, row)
  })

  const slice = (most: number) =>
    Effect.map(
      millis,
      (from): SliceLimits => ({
        stop: Effect.gen(function* () {
          return (yield* draining.begun) || (yield* millis) - from > most
        })
      })
    )

  const statusOf = Effect.fnUntraced(function* (runId: string) {
    const row = yield* rowOf(
      SettledRun
    )(sql`SELECT run_id::text, revision_id::text, org_id, status, cursor, wait_until, most_recent_error, failure_reason,
      error_message FROM runs WHERE run_id = ${runId}::bigint`)
    // Another process ended the run; it may have been called to a slot that it cannot use any more.
    if (row === undefined) return done("cancelled", null, null, "")
    yield* runSlots.release(row.org_id, runId)
    const revision = yield* revisions.get(row.revision_id)
    const details = revision === null ? "" : yield* progressOf(sql, { revision, run: row })
    return done(row.status, row.failure_reason, row.error_message, details)
  })

  /** Builds the directive for the run's workflow. */
  const directiveOf = Effect.fnUntraced(function* (context: RunContext, directive: SegmentEnd) {
    yield* segmentTold(context.run.run_id, directive)
    return toDirective(yield* epoch.current, context.run.org_id, directive, yield* progressOf(sql, context))
  })

  /** Ends an execution with a directive, and releases the run's slot unless it continues at once. */
  const leaveRun = Effect.fnUntraced(function* (context: RunContext, directive: SegmentEnd) {
    const { fence, org_id, run_id } = context.run
    if (directive.type !== "outside" && directive.type !== "more") yield* runSlots.release(org_id, run_id, fence)
    return yield* directiveOf(context, directive)
  })

  return { open: openContext, slice, statusOf, told: directiveOf, left: leaveRun }
})
