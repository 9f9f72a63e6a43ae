// Compares runs with their workflows. It starts missing workflows, cancels runs whose workflow an operator ended, and wakes workflows whose
// run has ended. A workflow that reports another history than the rows begins a new epoch.
import { WorkflowNotFoundError } from "@temporalio/common"
import { Clock, Effect, Schema } from "effect"
import { Installation } from "../../../engine/epoch/Installation.ts"
import { Epoch, epochOf, isSameEpoch, withoutEpoch } from "../../../engine/temporal/Epoch.ts"
import { RunStatus } from "../../../engine/temporal/messages.ts"
import { Temporal } from "../../../engine/temporal/Temporal.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { summaryColumn } from "../run/runSummary.ts"
import { RunIdentity, runWorkflowId } from "../run/runWorkflowId.ts"
import { EpochOver } from "./EpochOver.ts"
import { RunDriver } from "./RunDriver.ts"
import { RUN_WORKFLOW, RunWorkflows, StartedRun } from "./RunWorkflows.ts"

/** Age below which a run is left to its actor, which may be about to start or end its workflow. */
export const YOUNG_MILLIS = 15_000
const AT_ONCE = 8
/** Maximum length of texts that operators have written. */
const REASON_AT_MOST = 200
/** Value of `HistoryEventFilterType`. */
const CLOSE_EVENT = 2

const OpenRun = Schema.Struct({
  ...StartedRun.fields,
  name: Schema.String,
  /** True if it is called and its caller's workflow starts its workflow: its mailbox row is still there. */
  is_called: Schema.Boolean
})
type OpenRun = typeof OpenRun.Type
const StillOpen = Schema.Struct({ open: Schema.Boolean })

/** Facts that Temporal shows about the workflow with a run's id. */
interface Shown {
  readonly status: string
  /** Status with which the run ended, as its workflow received it; "running" before. */
  readonly told: string | undefined
  readonly memo: Readonly<Record<string, unknown>> | undefined
}

const RUN_ID = /^automations\/(\d{1,15})\/runs\/(\d{1,18})$/

/** True if the workflow's run was created before the run that now has its id: another history of the database wrote it. */
const isOfAnother = ({ filtering_on }: OpenRun, memo: Shown["memo"]): boolean => {
  const cameAbout = memo?.["cameAbout"]
  return typeof cameAbout === "string" && filtering_on !== null && filtering_on.getTime() > Date.parse(cameAbout)
}

export const makeReconcileRuns = Effect.gen(function* () {
  const sql = yield* Sql
  const temporal = yield* Temporal
  const epoch = yield* Epoch
  const installation = yield* Installation
  const driver = yield* RunDriver
  const workflows = yield* RunWorkflows

  const openRuns = (before: Date) =>
    rowsOf(OpenRun)(sql`
      SELECT r.run_id::text, r.automation_id, r.org_id, r.app_id, r.record_id, r.type, a.name, ${summaryColumn(sql)},
        r.root_run_id::text, r.filtering_on, i.run_id IS NOT NULL AS is_called
      FROM runs r JOIN automations a USING (automation_id) LEFT JOIN automation_inbox i ON i.run_id = r.run_id
      WHERE r.completed_on IS NULL AND r.durable AND r.created_on < ${before}
        AND (i.run_id IS NULL OR r.workflow_started_on IS NOT NULL)
      ORDER BY r.run_id`)

  const running = temporal.call(async (client) => {
    const runningWorkflows = new Map<string, Shown["memo"]>()
    const query = `WorkflowType = '${RUN_WORKFLOW}' AND ExecutionStatus = 'Running'`
    for await (const { memo, workflowId } of client.workflow.list({ query })) runningWorkflows.set(workflowId, memo)
    return runningWorkflows
  })

  const shownOf = (id: string) =>
    temporal
      .call(async (client): Promise<Shown> => {
        const { memo, status, typedSearchAttributes } = await client.workflow.getHandle(id).describe()
        return { status: status.name, told: typedSearchAttributes.get(RunStatus), memo }
      })
      .pipe(
        Effect.catchIf(
          (error) => error.cause instanceof WorkflowNotFoundError,
          () => Effect.succeed(null)
        )
      )

  /** Returns the log message for a run whose workflow an operator ended. */
  const endedBy = (workflowId: string) =>
    temporal
      .call((client) =>
        client.workflowService.getWorkflowExecutionHistory({
          namespace: temporal.settings.namespace,
          execution: { workflowId },
          historyEventFilterType: CLOSE_EVENT
        })
      )
      .pipe(
        Effect.map(({ history }) => {
          const by = history?.events?.at(-1)?.workflowExecutionTerminatedEventAttributes
          if (by == null) return "Its workflow ended in Temporal."
          const reason = by.reason ? `: ${by.reason.slice(0, REASON_AT_MOST)}` : ""
          return `Its workflow was terminated in Temporal${by.identity ? ` by ${by.identity.slice(0, REASON_AT_MOST)}` : ""}${reason}.`
        })
      )

  const isOpen = (run: OpenRun) =>
    Effect.map(
      rowOf(StillOpen)(sql`SELECT completed_on IS NULL AS open FROM runs WHERE run_id = ${run.run_id}::bigint`),
      (row) => row?.open === true
    )

  const anotherHistory = Effect.fnUntraced(function* (id: string, what: string) {
    const reason = `the workflow ${id} ${what}: the database is older than Temporal`
    yield* installation.begin(reason, yield* epoch.current)
    return yield* new EpochOver({ why: reason })
  })

  /** Fails if this is no longer the database to which Temporal's workflows belong: nothing may be ended because of them then. */
  const verified = Effect.flatMap(installation.changed, (why) =>
    why === null ? Effect.void : Effect.fail(new EpochOver({ why }))
  )

  const closed = Effect.fnUntraced(function* (run: OpenRun, id: string, { told }: Shown) {
    const why = yield* endedBy(id)
    yield* verified
    // The run may have ended between the two queries.
    if (!(yield* isOpen(run))) return false
    if (told !== undefined && told !== "running")
      return yield* anotherHistory(id, `was told that its run is ${told}, which the database does not know`)
    yield* driver.cancel(run.run_id, why)
    return true
  })

  const withWorkflows = Effect.fnUntraced(function* (open: ReadonlyArray<OpenRun>, alive: Map<string, Shown["memo"]>) {
    let started = 0
    let cancelled = 0
    yield* Effect.forEach(
      open,
      Effect.fnUntraced(function* (run) {
        const id = yield* epoch.id(runWorkflowId(run))
        const workflow = alive.has(id)
          ? { status: "RUNNING", told: undefined, memo: alive.get(id) }
          : yield* shownOf(id)
        if (workflow === null) {
          if (run.is_called) return
          yield* workflows.start(run)
          started++
          return
        }
        if (isOfAnother(run, workflow.memo)) yield* anotherHistory(id, "is of another run")
        if (workflow.status === "RUNNING" || workflow.status === "CONTINUED_AS_NEW") return
        if (yield* closed(run, id, workflow)) cancelled++
      }),
      { concurrency: AT_ONCE, discard: true }
    )
    return { started, cancelled }
  })

  /** Wakes workflows whose run has ended, as after a restore of Temporal. Otherwise they would notice it only at the end of their wait. */
  const wakeOver = Effect.fnUntraced(function* (alive: Iterable<string>, before: Date) {
    const runs = [...alive].flatMap((id) => {
      const [, automation, run] = RUN_ID.exec(withoutEpoch(id)) ?? []
      return run === undefined ? [] : [{ automation_id: Number(automation), run_id: run }]
    })
    const endedRuns = yield* rowsOf(RunIdentity)(sql`
      SELECT i.run_id::text, i.automation_id FROM jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) AS i (run_id bigint, automation_id bigint)
      WHERE NOT EXISTS (
        SELECT 1 FROM runs r WHERE r.run_id = i.run_id AND (r.completed_on IS NULL OR r.completed_on > ${before}))`)
    yield* Effect.forEach(endedRuns, workflows.wake, { concurrency: AT_ONCE, discard: true })
    return endedRuns.length
  })

  return Effect.gen(function* () {
    const youngSince = new Date((yield* Clock.currentTimeMillis) - YOUNG_MILLIS)
    const unfinishedRuns = yield* openRuns(youngSince)
    const currentEpoch = yield* epoch.current
    const alive = yield* running
    for (const id of alive.keys()) if (!isSameEpoch(epochOf(id), currentEpoch)) alive.delete(id)
    const { cancelled, started } = yield* withWorkflows(unfinishedRuns, alive)
    return { started, cancelled, woken: yield* wakeOver(alive.keys(), youngSince) }
  })
})
