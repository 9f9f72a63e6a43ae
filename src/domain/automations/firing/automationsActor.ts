// The automation actor of an app (design: automations as durable executions): takes events in order per automation and record,
// evaluates the filter, creates the run, executes it at once where it is plain, and starts its workflow where it is not.
import { Clock, Effect, Schema, Semaphore } from "effect"
import type { Activation, ActorKind, ActorWork, ClaimRequest, Job } from "../../../engine/actors/ActorKind.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { jsonb } from "../../../ground/sql/columns.ts"
import { countOf, rowOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { isInDelay, standsAtWait } from "../durable/firstWait.ts"
import { RunDriver } from "../durable/RunDriver.ts"
import { RunStarts } from "../durable/RunStarts.ts"
import { RunWorkflows } from "../durable/RunWorkflows.ts"
import { AUTOMATION_CHANGED, type AutomationChanged } from "../model/automationChanged.ts"
import { type NextTurn, RUN_TURN, RUN_WAKE } from "../model/fireCommand.ts"
import type { Cursor } from "../model/Plan.ts"
import { RunType } from "../model/RunScope.ts"
import { AutomationRevisions, type Revision } from "../run/AutomationRevisions.ts"
import { Credits } from "../run/Credits.ts"
import { loadedOf } from "../run/NewRun.ts"
import { RunPlaces } from "../run/RunPlaces.ts"
import type { LoadedRun } from "../run/RunRow.ts"
import { RunTurns } from "../run/RunTurns.ts"
import { summaryOf } from "../run/runSummary.ts"
import { WaitColumns } from "../run/waiting.ts"
import { Firing, type FiringDecision } from "./Firing.ts"
import { makeGatheredRuns } from "./gatheredRuns.ts"
import { type InboxEvent, makeClaim } from "./mailboxClaim.ts"
import { COMMANDS, makeFanOut } from "./mailboxFanOut.ts"
import { type FiringResult, makeResults } from "./mailboxResults.ts"
import { RunCreation } from "./RunCreation.ts"
import { runTraced } from "./runTraced.ts"
import { StateChanges } from "./StateChanges.ts"
import type { FiringTarget } from "./triggerData.ts"
import { makeWholeRunsOf } from "./wholeRuns.ts"
import { makeStarts, TRY_AGAIN_MILLIS } from "./workflowStarts.ts"

export const KIND_NAME = "automations/app"

/** Carried out as they are, without a run of their own. */
const COMMANDS_ALONE: ReadonlySet<string> = new Set([RUN_WAKE, RUN_TURN, AUTOMATION_CHANGED])
/** Rows in the air: most of them wait for Postgres, none for the outside. */
const SLOTS = 200
/** Runs of them that execute at once, fewer than an organization has places: one that gets none only waits in line. */
const RUNS_AT_ONCE = 40

const AppOrg = Schema.Struct({ org_id: Schema.Int })

const FoundRun = Schema.Struct({
  durable: Schema.Boolean,
  open: Schema.Boolean,
  type: RunType,
  revision_id: Schema.String,
  cursor: Schema.NullOr(jsonb<Cursor>()),
  cancelling: Schema.Boolean,
  in_line: Schema.Boolean,
  wait_why: WaitColumns.fields.wait_why,
  wait_until: WaitColumns.fields.wait_until
})

export const automationsKind = Effect.gen(function* () {
  const sql = yield* Sql
  const firing = yield* Firing
  const newRuns = yield* RunCreation
  const driver = yield* RunDriver
  const starts = yield* RunStarts
  const workflows = yield* RunWorkflows
  const revisions = yield* AutomationRevisions
  const places = yield* RunPlaces
  const turns = yield* RunTurns
  const credits = yield* Credits
  const outbox = yield* Outbox
  const changes = yield* StateChanges
  const gatheredRuns = yield* makeGatheredRuns
  const wholeRunsOf = yield* makeWholeRunsOf
  const fanOut = yield* makeFanOut
  const { claim, nextDue, withDueRows } = yield* makeClaim
  const { aside, inLine, later, remove, settle } = yield* makeResults(newRuns)

  const activate = Effect.fnUntraced(function* (activation: Activation) {
    const appId = Number(activation.id)
    const app = yield* rowOf(AppOrg)(sql`SELECT org_id FROM apps WHERE app_id = ${appId}`)
    // A killed process may have ended runs without calling the next ones to their places.
    if (app !== undefined) yield* places.freed(app.org_id)
    const submit = yield* activation.batched((results: ReadonlyArray<FiringResult>) =>
      activation.commit(settle(results))
    )
    const { revisions: revisionsWhole, whole } = yield* wholeRunsOf(activation, {
      app_id: appId,
      org_id: app?.org_id ?? 0
    })
    const executing = yield* Semaphore.make(RUNS_AT_ONCE)
    const counts = { matched: 0, mismatched: 0, waiting: 0 }
    /** Rows in the air, and those whose job has died: another activation takes them. */
    const held = new Set<number>()
    const { endWorkflow, failedMinutes, show, start, startPlaced, startUnasked } = makeStarts(
      { sql, driver, workflows, starts, places, credits, inLine, later, outbox, remove },
      activation,
      { app_id: appId, org_id: app?.org_id ?? 0 }
    )

    const targetOf = (row: InboxEvent): FiringTarget | null =>
      row.automation === null
        ? null
        : { ...row.automation, automation_id: row.automation_id, org_id: app!.org_id, app_id: appId }

    const plain = Effect.fnUntraced(function* (
      row: InboxEvent,
      runId: string,
      fresh: { readonly loaded: LoadedRun; readonly revision: Revision } | null
    ) {
      const ending = yield* driver.plain(runId, row, fresh)
      if (ending?.status === "failed") yield* show(row, runId)
    })

    /** A row whose run exists: its process died, or it waited for a place, or for Temporal. */
    const resume = Effect.fnUntraced(function* (row: InboxEvent) {
      const fires = yield* gatheredRuns.due(row, remove)
      if (fires !== null) return yield* activation.commit(fires)
      const run = yield* rowOf(FoundRun)(sql`
        SELECT durable, completed_on IS NULL AS open, type, revision_id::text, cursor, cancel_requested_on IS NOT NULL AS cancelling,
          place_wanted_on IS NOT NULL AS in_line, wait_why, wait_until FROM runs WHERE run_id = ${row.run_id!}::bigint`)
      // Its delay was over before it had a workflow, which would hear of it.
      const ends = run?.open === true && run.durable && run.cancelling && run.in_line
      if (ends) yield* driver.cancel(row.run_id!)
      if (run === undefined || !run.open || ends) {
        if (run !== undefined) yield* places.release(app!.org_id, row.run_id!)
        yield* activation.commit(remove(row))
        // A start whose answer nobody heard may have made one.
        if (run?.durable === true && (ends || run.wait_why === "delay")) yield* endWorkflow(row, row.run_id!)
        return
      }
      if (run.durable) {
        const revision = yield* revisions.get(run.revision_id)
        const stands = revision !== null && standsAtWait(revision.plan, run.cursor)
        const begun = stands && isInDelay(run, yield* Clock.currentTimeMillis)
        const { type } = run
        // Its segment ends it.
        if (run.cancelling) return yield* startUnasked(row, { type, delay: null })
        if (begun) return yield* startUnasked(row, { type, delay: "begun" })
        return yield* startPlaced(row, { type, delay: stands ? "stands" : null })
      }
      yield* executing.withPermit(plain(row, row.run_id!, null))
      // Over, taken by another or sent to wait: its row says which.
      yield* activation.commit(
        sql`UPDATE automation_inbox SET fence = 0 WHERE row_id = ${String(row.row_id)}::bigint AND fence = ${activation.fence}`
      )
    })

    const fire = Effect.fnUntraced(function* (row: InboxEvent) {
      const target = targetOf(row)
      if (target === null) return yield* activation.commit(remove(row))
      const event = { ...row.event, event_id: row.event_id } as Parameters<typeof firing.decide>[1]
      const decision = yield* firing.decide(row.row_id, event, target, row.record?.state ?? null)
      const begin = runTraced(row, decision, (traced) => begun(row, target, traced))
      return yield* decision.type === "run" && !decision.run.durable ? executing.withPermit(begin) : begin
    })

    const begun = Effect.fnUntraced(function* (row: InboxEvent, target: FiringTarget, decision: FiringDecision) {
      if (decision.type === "run" && (yield* whole(row, target, decision))) {
        counts.matched++
        yield* Effect.annotateCurrentSpan("millrace.run.id", row.new_run_id!)
        return
      }
      const result: FiringResult = { row, decision, created: null }
      yield* submit(result)
      if (decision.type === "none") {
        counts.mismatched++
        return
      }
      if (decision.type === "gather") return
      counts.matched++
      const { created } = result
      if (created !== null) yield* Effect.annotateCurrentSpan("millrace.run.id", created.run_id)
      if (created === null || decision.run.failure !== null) return
      if (!created.placed) return
      if (decision.run.durable) {
        const { revision, run } = decision
        const known = { summary: summaryOf(revision.name, run), filtering_on: new Date(run.filtering_on) }
        const delay = standsAtWait(revision.plan, run.cursor) ? "stands" : null
        return yield* start(row, { runId: created.run_id, known, type: run.type, delay })
      }
      const { run } = decision
      const loaded = loadedOf(created.run_id, run, target)
      yield* plain(row, created.run_id, { loaded, revision: decision.revision })
    })

    const command = Effect.fnUntraced(function* (row: InboxEvent) {
      if (row.event.type === RUN_TURN) {
        return yield* activation.commit(Effect.andThen(turns.handOn(row.event.payload as NextTurn), remove(row)))
      }
      const work =
        row.event.type === RUN_WAKE
          ? wake(row)
          : changes.carryOut(row.event.payload as AutomationChanged, { app_id: appId, org_id: app?.org_id ?? 0 })
      yield* work.pipe(
        Effect.matchEffect({
          onSuccess: () => activation.commit(remove(row)),
          onFailure: (error) =>
            error._tag === "SqlError"
              ? Effect.fail(error)
              : Effect.andThen(
                  Effect.logWarning("a command to automations waits", { reason: error.message }),
                  activation.commit(later(row, TRY_AGAIN_MILLIS))
                )
        })
      )
    })

    const wake = Effect.fnUntraced(function* (row: InboxEvent) {
      const { automation_id, run_id } = row.event.payload as { automation_id: number; run_id: string }
      // One that is not over stays parked: it waits for something else.
      const parked = yield* sql`
        UPDATE automation_inbox i SET parked = NOT r.over, due_at = CASE WHEN r.over THEN ${row.event.created_on}::timestamptz ELSE i.due_at END
        FROM (SELECT run_id, completed_on IS NOT NULL AS over FROM runs WHERE run_id = ${run_id}::bigint) AS r
        WHERE i.run_id = r.run_id AND i.parked RETURNING i.row_id`
      if (parked.length > 0) return
      const [plainRow] = yield* sql`
        UPDATE automation_inbox SET due_at = ${row.event.created_on} WHERE run_id = ${run_id}::bigint AND NOT parked RETURNING row_id`
      if (plainRow === undefined) yield* workflows.wake({ run_id, automation_id })
    })

    const work = (row: InboxEvent) => {
      if (COMMANDS_ALONE.has(row.event.type)) return command(row)
      return row.run_id === null ? fire(row) : resume(row)
    }

    const details = Effect.sync(() => {
      return [
        ...(held.size > 0 ? [{ what: "events in work", count: held.size, why: "filters and plain runs" }] : []),
        ...(counts.matched > 0 ? [{ what: "runs since this activation began", count: counts.matched, why: "" }] : []),
        ...(counts.mismatched > 0 ? [{ what: "events without a run", count: counts.mismatched, why: "filter" }] : []),
        ...(counts.waiting > 0
          ? [{ what: "runs without a place", count: counts.waiting, why: "the organization's places are taken" }]
          : []),
        ...failedMinutes().map(([id, count]) => ({
          what: `automation ${id}`,
          count,
          why: "failed runs in its last failing minute",
          failing: true
        }))
      ]
    })

    const refresh = Effect.gen(function* () {
      const row = yield* countOf(sql`
        SELECT count(*)::int AS n FROM runs
        WHERE org_id = ${app?.org_id ?? 0} AND app_id = ${appId} AND place_wanted_on IS NOT NULL`)
      counts.waiting = row
    })

    const run = (row: InboxEvent): Job<InboxEvent> => ({
      rows: [row],
      run: Effect.suspend(() => {
        held.add(row.row_id)
        return Effect.andThen(
          work(row),
          Effect.sync(() => void held.delete(row.row_id))
        )
      })
    })

    const actorWork: ActorWork<InboxEvent> = {
      slots: SLOTS,
      claim: Effect.fnUntraced(function* (request: ClaimRequest) {
        const claimed = yield* activation.statement(
          claim(appId, activation, { held, whole: revisionsWhole }, request),
          (rows) => rows !== null
        )
        const rows = claimed ?? []
        return rows.map(run)
      }),
      setAside: aside,
      details,
      refresh
    }
    return actorWork
  })

  const kind: ActorKind = {
    name: KIND_NAME,
    workflowType: "automationsApp",
    summary: (id) => `Automations of app ${id}`,
    perApp: true,
    commands: COMMANDS,
    fanOut,
    nextDue,
    withDueRows,
    activate
  }
  return kind
})
