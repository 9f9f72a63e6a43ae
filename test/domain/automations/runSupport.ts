// Automations over HTTP and what their runs leave behind.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../src/domain/automations/durable/Reconcile.ts"
import { runWorkflowId } from "../../../src/domain/automations/run/runWorkflowId.ts"
import { scheduleId } from "../../../src/domain/automations/schedules/TemporalSchedules.ts"
import { Epoch } from "../../../src/engine/temporal/Epoch.ts"
import * as messages from "../../../src/engine/temporal/messages.ts"
import { Temporal } from "../../../src/engine/temporal/Temporal.ts"
import { App } from "../../support/app.ts"
import { eventually } from "../../support/spine.ts"

export const assign = (field_type: string, field_id: number, value: ReadonlyArray<string>) => ({
  field_type,
  variable_def: { kind: "variable", source: "field", field_id, field_type },
  assignment_type: "set",
  field_value: value
})

export const setText = (field_id: number, text: string, more: object = {}) => ({
  type: "current_record_update",
  ...more,
  config: { field_assignments: [assign("single_text", field_id, [text])], trigger_other_flows: false }
})

/** Creates and activates; answers the id. */
export const automate = Effect.fnUntraced(function* (token: string, appId: number, body: object) {
  const app = yield* App
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body: { name: "Test", ...body } })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  const active = yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
  assert.strictEqual(active.status, 200, active.text)
  return id
})

export const createRecord = Effect.fnUntraced(function* (token: string, appId: number, fields: object, query = "") {
  const app = yield* App
  const record = yield* app.call("POST", `/v1/record/app/${appId}${query}`, { token, body: { fields } })
  assert.strictEqual(record.status, 200, record.text)
  return record.json.record_id as number
})

export interface RunSeen {
  readonly run_id: string
  readonly automation_id: number
  readonly status: string
  readonly type: string
  readonly durable: boolean
  readonly wait_until: Date | null
  readonly workflow_started_on: Date | null
  readonly failure_reason: string | null
  readonly error_message: string | null
  readonly credits: number
  readonly executed_ms: number
  readonly depth: number
  readonly retry_of_run_id: number | null
  readonly completed_on: Date | null
  readonly logs: ReadonlyArray<any>
  readonly ledger: ReadonlyArray<any>
}

export const runsOf = (automationId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<RunSeen>`SELECT r.*, r.run_id::text,
      coalesce((SELECT jsonb_agg(to_jsonb(l) ORDER BY seq) FROM run_logs l WHERE l.run_id = r.run_id), '[]') AS logs,
      coalesce((SELECT jsonb_agg(to_jsonb(g) ORDER BY path, iteration) FROM run_ledger g WHERE g.run_id = r.run_id), '[]')
        AS ledger
      FROM runs r WHERE automation_id = ${automationId} ORDER BY r.run_id`
  )

const waitsWatched = ({ wait_until, workflow_started_on }: RunSeen) =>
  wait_until !== null && workflow_started_on !== null

const isOver = ({ status }: RunSeen) => status !== "pending" && status !== "running"

/** Its runs once there are `n` and all are over. */
export const runsOver = (automationId: number, n = 1) =>
  eventually(`${n} runs of ${automationId}`, runsOf(automationId), (rows) => rows.length >= n && rows.every(isOver))

/** The first of its runs in a delay, once it is there and has its workflow. */
export const waiting = (automationId: number) =>
  Effect.map(
    eventually("waits", runsOf(automationId), (rows) => rows.some(waitsWatched)),
    (rows) => rows.find(waitsWatched)!
  )

/** The delays in which its runs wait are over now: a long delay that ends by this is no race against the clock. */
export const endDelays = Effect.fnUntraced(function* (automationId: number) {
  const sql = yield* SqlClient.SqlClient
  const temporal = yield* Temporal
  const epoch = yield* Epoch
  // A run may wait a moment before it has its workflow.
  const unwatched = sql`SELECT 1 FROM runs JOIN automation_inbox i USING (run_id)
    WHERE runs.automation_id = ${automationId} AND wait_until IS NOT NULL AND completed_on IS NULL`
  yield* eventually("their workflows", unwatched, ({ length }) => length === 0)
  const runs = yield* sql<{ run_id: string }>`
    WITH ended AS (
      UPDATE runs SET wait_until = now() - interval '1 second'
      WHERE automation_id = ${automationId} AND wait_until IS NOT NULL RETURNING run_id, wait_until
    ), told AS (
      UPDATE run_ledger l SET result = jsonb_set(result, '{until}', to_jsonb(extract(epoch FROM wait_until) * 1000))
      FROM ended WHERE l.run_id = ended.run_id AND l.state = 'started' AND l.result ? 'until'
    )
    SELECT run_id::text FROM ended`
  for (const { run_id } of runs) {
    const workflowId = yield* epoch.id(runWorkflowId({ automation_id: automationId, run_id }))
    // One that an earlier call has woken may be over by now.
    const completedRow = sql`SELECT 1 FROM runs WHERE run_id = ${run_id}::bigint AND completed_on IS NOT NULL`
    yield* temporal
      .call((client) => client.workflow.getHandle(workflowId).signal(messages.wakeRun))
      .pipe(
        Effect.catch((error) =>
          Effect.filterOrFail(
            completedRow,
            ({ length }) => length > 0,
            () => error
          )
        )
      )
  }
})

/** Nothing of the app is on its way any more. */
export const settled = (appId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    eventually(
      "an empty line",
      sql`SELECT 1 FROM outbox WHERE app_id = ${appId} UNION ALL SELECT 1 FROM automation_inbox WHERE app_id = ${appId}`,
      (rows) => rows.length === 0
    )
  )

export const textOf = (recordId: number, fieldId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ text: string | null }>`
        SELECT cells -> ${String(fieldId)} ->> 0 AS text FROM records WHERE record_id = ${recordId}`,
      ([row]) => row?.text ?? null
    )
  )

/** What Temporal knows of the automation's schedule; fails where there is none. */
export const scheduleOf = (automationId: number) =>
  Effect.flatMap(Temporal, (temporal) =>
    temporal.call((client) => client.schedule.getHandle(scheduleId(automationId)).describe())
  )

/** Pauses the schedule once it is there and no look of it is under way: from then on instants come as the test says, not by the clock. */
export const pauseSchedule = (automationId: number) =>
  Effect.gen(function* () {
    const temporal = yield* Temporal
    const described = scheduleOf(automationId)
    yield* eventually("a schedule", Effect.isSuccess(described), (there) => there)
    yield* temporal.call((client) => client.schedule.getHandle(scheduleId(automationId)).pause())
    yield* eventually("no look under way", described, ({ info }) => info.runningActions.length === 0)
  })

/** Temporal may list a schedule for a moment after its end: the round of `reconcile` that sees it gone brings it back. */
export const scheduleBack = (automationId: number) =>
  Effect.flatMap(Reconcile, (reconcile) =>
    eventually(
      "the schedule is back",
      Effect.andThen(reconcile.run(false), Effect.isSuccess(scheduleOf(automationId))),
      (found) => found
    )
  )
