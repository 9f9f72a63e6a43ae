// Automations actor of an app (design: automations as durable executions). It takes events in order per automation and record, evaluates
// the filter, and creates the run. A plain run is executed immediately; any other gets a workflow.
import { Effect, Schema, Semaphore } from "effect"
import type { Activation, ActorKind, ActorWork, ClaimRequest, Job } from "../../../engine/actors/ActorKind.ts"
import { announcing } from "../../../engine/actors/announcing.ts"
import { submitted } from "../../../platform/sql/batching.ts"
import { countOf, rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { standsAtWait } from "../durable/initialDelay.ts"
import { RunDriver } from "../durable/RunDriver.ts"
import { loadedOf } from "../run/NewRun.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { summaryOf } from "../run/runSummary.ts"
import { tableOf } from "./actorTable.ts"
import { makeClaimInRecordOrder } from "./claimInRecordOrder.ts"
import { isCommand, makeCommandRows } from "./commandRows.ts"
import { type FiringDecision, makeFiring } from "./firing.ts"
import { type InboxEvent, makeRowReleases } from "./inboxRows.ts"
import { COMMANDS, makeFanOut } from "./mailboxFanOut.ts"
import { type FiringResult, makeResults } from "./mailboxResults.ts"
import { makeResumedRows } from "./resumedRows.ts"
import { withRunSpan } from "./runSpan.ts"
import { makeSingleStatementFiring } from "./singleStatementFiring.ts"
import type { FiringTarget } from "./triggerData.ts"
import { makeStarts } from "./workflowStarts.ts"

const KIND_NAME = "automations/app"

/** Mailbox rows in flight: most of them wait for Postgres, none for an external service. */
const SLOTS = 200
/** Plain runs of the app that execute at once, besides single-statement ones. One that gets no concurrency slot waits in the queue. */
const RUNS_AT_ONCE = 40

const AppOrg = Schema.Struct({ org_id: Schema.Int })

export const automationsKind = Effect.gen(function* () {
  const sql = yield* Sql
  const decide = yield* makeFiring
  const driver = yield* RunDriver
  const runSlots = yield* OrganizationSlots
  const fanOutEvents = yield* makeFanOut
  const startsOf = yield* makeStarts
  const singleStatementFiring = yield* makeSingleStatementFiring
  const commandRowsOf = yield* makeCommandRows
  const resumedRowsOf = yield* makeResumedRows
  const { claim, nextDue, withDueRows } = yield* makeClaimInRecordOrder
  const { aside, settle } = yield* makeResults
  const { remove } = makeRowReleases(sql)

  const activate = Effect.fnUntraced(function* (activation: Activation) {
    const app_id = Number(activation.id)
    const appOrg =
      activation.orgId === null
        ? yield* rowOf(AppOrg)(sql`SELECT org_id FROM apps WHERE app_id = ${app_id}`)
        : { org_id: activation.orgId }
    const app = { app_id, org_id: appOrg?.org_id ?? 0 }
    // A killed process may have ended runs without calling the next ones in the queue. After an orderly handoff that is rare, so claims do
    // not wait for this check; reconciliation finds what it misses.
    if (appOrg !== undefined) {
      const freed = runSlots.freed(appOrg.org_id)
      yield* activation.orderly ? Effect.forkScoped(Effect.delay(freed, "1 second")) : freed
    }
    const submit = submitted(
      yield* activation.batched((results: ReadonlyArray<FiringResult>) => settle(results, activation))
    )
    const singleStatementRuns = yield* singleStatementFiring(activation, app)
    const executing = yield* Semaphore.make(RUNS_AT_ONCE)
    const counts = { matched: 0, mismatched: 0, waiting: 0 }
    /** Rows in flight. A row stays in here if its job has died: another activation takes it. */
    const rowsInFlight = new Set<number>()
    const starts = startsOf(activation, app)
    const command = commandRowsOf(activation, app)

    const targetOf = ({ automation, automation_id }: InboxEvent): FiringTarget | null =>
      automation === null ? null : { ...automation, ...app, automation_id }

    const executeRun = Effect.fnUntraced(function* (
      row: InboxEvent,
      runId: string,
      fresh: Parameters<typeof driver.plain>[2]
    ) {
      const ending = yield* driver.plain(runId, row, fresh)
      if (ending?.status === "failed") yield* starts.show(row, runId)
    })

    const resume = resumedRowsOf({
      activation,
      org_id: app.org_id,
      starts,
      execute: (row, runId) => executing.withPermit(executeRun(row, runId, null))
    })

    const fire = Effect.fnUntraced(function* (row: InboxEvent) {
      const target = targetOf(row)
      if (target === null) return yield* activation.commit(remove(row))
      const event = { ...row.event, event_id: row.event_id } as Parameters<typeof decide>[1]
      const decision = yield* decide(row.row_id, event, target, row.record?.state ?? null)
      return yield* withRunSpan(row, decision, (traced) => beginRun(row, target, traced))
    })

    const beginRun = Effect.fnUntraced(function* (row: InboxEvent, target: FiringTarget, decision: FiringDecision) {
      if (decision.type === "run" && (yield* singleStatementRuns.whole(row, target, decision))) {
        counts.matched++
        return yield* Effect.annotateCurrentSpan("millrace.run.id", row.new_run_id!)
      }
      const begin = beginOrdinary(row, target, decision)
      return yield* decision.type === "run" && !decision.run.durable ? executing.withPermit(begin) : begin
    })

    const beginOrdinary = Effect.fnUntraced(function* (
      row: InboxEvent,
      target: FiringTarget,
      decision: FiringDecision
    ) {
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
      if (created === null || decision.run.failure !== null || !created.placed) return
      const { revision, run } = decision
      if (run.durable) {
        const runFacts = { summary: summaryOf(revision.name, run), filtering_on: new Date(run.filtering_on), fence: 1 }
        const delay = standsAtWait(revision.plan, run.cursor) ? "stands" : null
        return yield* starts.start(row, { runId: created.run_id, known: runFacts, type: run.type, delay })
      }
      yield* executeRun(row, created.run_id, {
        loaded: loadedOf(created.run_id, run, target),
        revision,
        rights: row.rights
      })
    })

    const work = (row: InboxEvent) => (isCommand(row) ? command(row) : row.run_id === null ? fire(row) : resume(row))

    const run = (row: InboxEvent): Job<InboxEvent> => ({
      rows: [row],
      run: Effect.gen(function* () {
        rowsInFlight.add(row.row_id)
        yield* work(row)
        rowsInFlight.delete(row.row_id)
      })
    })

    const refresh = Effect.gen(function* () {
      counts.waiting = yield* countOf(sql`
        SELECT count(*)::int AS n FROM runs
        WHERE org_id = ${app.org_id} AND app_id = ${app_id} AND place_wanted_on IS NOT NULL`)
    })

    const claimed = (request: ClaimRequest) =>
      Effect.map(
        activation.claim(
          claim(app_id, activation, { held: rowsInFlight, ordinary: singleStatementRuns.ordinary }, request),
          (rows) => rows !== null
        ),
        (rows) => (rows ?? []).map(run)
      )

    const actorWork: ActorWork<InboxEvent> = {
      slots: SLOTS,
      claim: announcing(activation, nextDue(activation.id), claimed),
      setAside: aside,
      details: Effect.sync(() => tableOf(rowsInFlight.size, counts, starts.failedMinutes())),
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
    look: fanOutEvents,
    nextDue,
    withDueRows,
    activate
  }
  return kind
})
