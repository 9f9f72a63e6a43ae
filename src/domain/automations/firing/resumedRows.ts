// Handles mailbox rows whose run already exists: its process died, or it waited for its debounce time, a concurrency slot, or Temporal. The
// run's row decides how it continues.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { isInDelay, standsAtWait } from "../durable/initialDelay.ts"
import { RunDriver } from "../durable/RunDriver.ts"
import type { Cursor } from "../model/Plan.ts"
import { RunType } from "../model/RunScope.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { RevisionCache } from "../run/RevisionCache.ts"
import { WaitColumns } from "../run/waitReasons.ts"
import { makeDebouncedRuns } from "./debouncedRuns.ts"
import { type InboxEvent, makeRowReleases } from "./inboxRows.ts"
import type { Starts } from "./workflowStarts.ts"

const FoundRun = Schema.Struct({
  durable: Schema.Boolean,
  open: Schema.Boolean,
  type: RunType,
  revision_id: Schema.String,
  cursor: Schema.NullOr(jsonb<Cursor>()),
  cancelling: Schema.Boolean,
  in_line: Schema.Boolean,
  /** True if its caller's workflow was told to start it. */
  startable: Schema.Boolean,
  wait_why: WaitColumns.fields.wait_why,
  wait_until: WaitColumns.fields.wait_until
})

/** Waits that begin in a run's workflow alone: the run has one, and asks for its slots itself, as soon as it has its turn back. */
const WAITS_OF_WORKFLOW: ReadonlyArray<WaitColumns["wait_why"]> = ["called_run", "retry"]

interface Resuming {
  readonly activation: Activation
  readonly org_id: number
  readonly starts: Pick<Starts, "endWorkflow" | "startPlaced" | "startUnasked">
  /** Executes the plain run of a row. */
  readonly execute: (row: InboxEvent, runId: string) => Effect.Effect<void, SqlError>
}

export const makeResumedRows = Effect.gen(function* () {
  const sql = yield* Sql
  const driver = yield* RunDriver
  const runSlots = yield* OrganizationSlots
  const revisions = yield* RevisionCache
  const gatheredRuns = yield* makeDebouncedRuns
  const { remove } = makeRowReleases(sql)

  const findRun = (runId: string) =>
    rowOf(FoundRun)(sql`
      SELECT durable, completed_on IS NULL AS open, type, revision_id::text, cursor, cancel_requested_on IS NOT NULL AS cancelling,
        place_wanted_on IS NOT NULL AS in_line, workflow_started_on IS NOT NULL AS startable, wait_why, wait_until FROM runs WHERE run_id = ${runId}::bigint`)

  /** Creates the handler of an activation. */
  return ({ activation, execute, org_id, starts }: Resuming) => {
    const { endWorkflow, startPlaced, startUnasked } = starts

    const goOn = Effect.fnUntraced(function* (row: InboxEvent, run: typeof FoundRun.Type) {
      const { cancelling, cursor, revision_id, startable, type } = run
      const revision = yield* revisions.get(revision_id)
      const isAtWait = revision !== null && standsAtWait(revision.plan, cursor)
      const isDelayed = isAtWait && isInDelay(run, yield* Clock.currentTimeMillis)
      const waitsInWorkflow = WAITS_OF_WORKFLOW.includes(run.wait_why)
      // The first segment of the workflow ends the cancelled run.
      if (cancelling || startable || waitsInWorkflow) return yield* startUnasked(row, { type, delay: null })
      if (isDelayed) return yield* startUnasked(row, { type, delay: "begun" })
      return yield* startPlaced(row, { type, delay: isAtWait ? "stands" : null })
    })

    return Effect.fnUntraced(function* (row: InboxEvent) {
      const run_id = row.run_id!
      const fires = yield* gatheredRuns.due(row)
      if (fires !== null) return yield* activation.commit(fires)
      const run = yield* findRun(run_id)
      // The delay of this run ended before it had a workflow, so no workflow would receive the cancellation.
      const mustCancel = run?.open === true && run.durable && run.cancelling && run.in_line
      if (mustCancel) yield* driver.cancel(run_id)
      if (run === undefined || !run.open || mustCancel) {
        if (run !== undefined) yield* runSlots.release(org_id, run_id)
        yield* activation.commit(remove(row))
        // A start whose answer was lost may have created a workflow.
        if (run?.durable === true && (mustCancel || run.wait_why === "delay")) yield* endWorkflow(row, run_id)
        return
      }
      if (run.durable) return yield* goOn(row, run)
      yield* execute(row, run_id)
      // The run has ended, was taken over or waits: its row says which.
      yield* activation.commit(
        sql`UPDATE automation_inbox SET fence = 0 WHERE row_id = ${String(row.row_id)}::bigint AND fence = ${activation.fence}`
      )
    })
  }
})
