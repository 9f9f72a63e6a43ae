// A run that stands at a delay begins it in its actor: its workflow sets the timer and asks for nothing before it is over
// (docs/architecture/runs.md, "How runs come to their places").
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { RunDriver } from "../../../../src/domain/automations/durable/RunDriver.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, endDelays, type RunSeen, runsOf, runsOver, setText } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const RUNS = 8
const HOUR = 3_600_000

const historyOf = Effect.fnUntraced(function* ({ automation_id, run_id }: RunSeen) {
  const temporal = yield* Temporal
  const workflowId = runWorkflowId({ automation_id, run_id })
  const { events } = yield* temporal.call((client) => client.workflow.getHandle(workflowId).fetchHistory())
  const allEvents = events ?? []
  return {
    activities: allEvents.filter((event) => event.activityTaskScheduledEventAttributes != null).length,
    timers: allEvents.filter((event) => event.timerStartedEventAttributes != null).length,
    over: allEvents.some((event) => event.workflowExecutionCompletedEventAttributes != null)
  }
})

const setting = Effect.gen(function* () {
  const { appId, fields, orgId, token } = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } }
  ])
  const id = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [{ type: "delay", config: { delay_ms: HOUR } }, setText(fields["reference"]!, "late")]
  })
  for (let i = 0; i < RUNS; i++) yield* createRecord(token, appId, {})
  const runs = yield* eventually(
    "all wait",
    runsOf(id),
    (rows) => rows.length === RUNS && rows.every((run) => run.wait_until !== null && run.workflow_started_on !== null)
  )
  for (const run of runs) yield* eventually("its timer runs", historyOf(run), ({ timers }) => timers === 1)
  return { id, orgId, runs, token }
})

layer(spineLayer({ RUNS_CONCURRENT: "3" }), { excludeTestServices: true })("a run that begins in its wait", (it) => {
  it.effect("its workflow asks for nothing until the delay is over; it holds no place (7.6, 7.11 rule 7)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id, orgId, runs } = yield* setting
      const histories = yield* Effect.forEach(runs, historyOf)
      assert.isAtMost(
        histories.reduce((sum, { activities }) => sum + activities, 0),
        2
      )
      const heldSlots = sql`SELECT 1 FROM run_places WHERE org_id = ${orgId}`
      yield* eventually("no place is held", heldSlots, (rows) => rows.length === 0)
      for (const { ledger, status } of runs) {
        assert.strictEqual(status, "running")
        assert.deepStrictEqual(
          ledger.map(({ attempts, state }) => [state, attempts]),
          [["started", 1]]
        )
      }
      yield* endDelays(id)
      const finishedRuns = yield* runsOver(id, RUNS)
      assert.isTrue(finishedRuns.every(({ status }) => status === "completed"))
    })
  )

  it.effect("cancelled in its wait it is over, and so is its workflow (7.11)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { runs, token } = yield* setting
      for (const { run_id } of runs) {
        const answer = yield* app.call("POST", `/v1/automation-run/${run_id}/cancel`, { token })
        assert.strictEqual(answer.json.automation_run.status, "cancelled", answer.text)
      }
      for (const run of runs) yield* eventually("its workflow ends", historyOf(run), ({ over }) => over)
    })
  )

  it.effect("whose wait is over before it has a workflow is pending: a start that fails gives its place back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const driver = yield* RunDriver
      const { runs } = yield* setting
      const { run_id } = runs[0]!
      yield* sql`UPDATE run_ledger SET result = jsonb_set(result, '{until}', '0') WHERE run_id = ${run_id}::bigint`
      assert.isNull(yield* driver.firstWait.begin(run_id))
      assert.deepStrictEqual(yield* sql`SELECT status, wait_why FROM runs WHERE run_id = ${run_id}::bigint`, [
        { status: "pending", wait_why: null }
      ])
    })
  )
})
