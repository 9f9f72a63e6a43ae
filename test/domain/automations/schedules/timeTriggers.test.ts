// Triggers of time over the whole spine: dates, schedules, reconcile (developer-api.md 7.5 rules 1 and 2; decisions A4, A5).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../../src/domain/automations/durable/Reconcile.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { PeriodicTicks } from "../../../../src/domain/automations/schedules/PeriodicTicks.ts"
import { scheduleId } from "../../../../src/domain/automations/schedules/TemporalSchedules.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import {
  automate,
  createRecord,
  pauseSchedule,
  runsOf,
  runsOver,
  scheduleBack,
  scheduleOf,
  setText,
  textOf
} from "../runSupport.ts"
import { seedApp } from "../support.ts"

const stamp = (millis: number) => new Date(Date.now() + millis).toISOString().slice(0, 19).replace("T", " ")
const dueOf = (automationId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ record_id: number; due_at: Date }>`
      SELECT record_id, due_at FROM calendar_due WHERE automation_id = ${automationId} ORDER BY record_id`
  )

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp()
  const { fields, options } = seeded
  return { ...seeded, ref: fields["reference"]!, due: fields["due"]!, state: { state: options["state"]![0] } }
})

const timed = Effect.gen(function* () {
  const seeded = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } },
    { field_type: "single_date", config: { label: "Due", settings: { time: "enabled" } } }
  ])
  return { ...seeded, ref: seeded.fields["reference"]!, due: seeded.fields["due"]!, state: {} }
})

layer(spineLayer(), { excludeTestServices: true })("triggers of time", (it) => {
  it.effect("a date fires within seconds of its time, once; moved and cleared with the record (7.5 rule 1, A5)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, due, ref, state, token } = yield* timed
      const laterRecord = yield* createRecord(token, appId, { ...state, due: { start: stamp(3_600_000) } })
      const id = yield* automate(token, appId, {
        trigger: { type: "date_field_arrived", config: { date_field_id: due } },
        actions: [setText(ref, "arrived")]
      })
      // Records that are there at the activation count too.
      yield* eventually("armed", dueOf(id), (rows) => rows.length === 1 && rows[0]!.record_id === laterRecord)
      const past = yield* createRecord(token, appId, { ...state, due: { start: stamp(-60_000) } })
      const soon = yield* createRecord(token, appId, { ...state, due: { start: stamp(7_200_000) } })
      assert.deepStrictEqual(
        (yield* dueOf(id)).map((row) => row.record_id),
        [laterRecord, soon]
      )
      const cleared = yield* app.call("PUT", `/v1/record/${laterRecord}`, { token, body: { fields: { due: null } } })
      assert.strictEqual(cleared.status, 200, cleared.text)
      assert.deepStrictEqual(
        (yield* dueOf(id)).map((row) => row.record_id),
        [soon]
      )
      const moved = yield* app.call("PUT", `/v1/record/${soon}`, {
        token,
        body: { fields: { due: { start: stamp(5_000) } } }
      })
      assert.strictEqual(moved.status, 200, moved.text)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed")
      assert.strictEqual(yield* textOf(soon, ref), "arrived")
      assert.strictEqual(yield* textOf(past, ref), null)
      // A change of another field does not fire it again.
      yield* app.call("PUT", `/v1/record/${soon}`, { token, body: { fields: { reference: "again" } } })
      assert.strictEqual((yield* dueOf(id)).length, 0)
      const later = stamp(7_200_000)
      yield* app.call("PUT", `/v1/record/${soon}`, { token, body: { fields: { due: { start: later } } } })
      assert.strictEqual((yield* dueOf(id)).length, 1)
      yield* app.call("DELETE", `/v1/record/${soon}`, { token })
      assert.strictEqual((yield* dueOf(id)).length, 0)
      assert.strictEqual((yield* runsOf(id)).length, 1)
    })
  )

  it.effect(
    "a schedule exists while its automation is active; the latest missed instant fires once (7.5 rule 2, A4)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, token } = yield* setting
        const id = yield* automate(token, appId, {
          trigger: {
            type: "periodic",
            config: { schedule_type: "interval", interval_amount: 5, interval_unit: "minute" }
          },
          actions: [{ type: "exit", config: { exit_type: "success" } }]
        })
        // A third that looks on its own, in the second of the activation for one, would fire it before the two do.
        yield* pauseSchedule(id)
        const sql = yield* SqlClient.SqlClient
        const ticks = yield* PeriodicTicks
        assert.strictEqual(yield* ticks.tick(id), "nothing")
        yield* sql`UPDATE automation_schedules SET armed_on = armed_on - interval '17 minutes' WHERE automation_id = ${id}`
        yield* sql`UPDATE automations SET activated_on = activated_on - interval '17 minutes' WHERE automation_id = ${id}`
        // Two processes that wake at once fire it once.
        const both = yield* Effect.all([ticks.tick(id), ticks.tick(id)], { concurrency: 2 })
        assert.deepStrictEqual([...both].sort(), ["fired", "nothing"])
        const [run] = yield* runsOver(id)
        assert.strictEqual(run!.status, "completed")
        assert.strictEqual(yield* ticks.tick(id), "nothing")
        yield* app.call("POST", `/v1/automation/${id}/pause`, { token })
        yield* eventually("no schedule", Effect.isSuccess(scheduleOf(id)), (there) => !there)
      })
  )

  it.effect("a date fires though an operator has terminated the calendar's workflow before (docs/operations.md)", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const { appId, due, ref, token } = yield* timed
      const id = yield* automate(token, appId, {
        trigger: { type: "date_field_arrived", config: { date_field_id: due } },
        actions: [setText(ref, "arrived")]
      })
      const record = yield* createRecord(token, appId, { due: { start: stamp(3_600_000) } })
      const calendars = temporal.call(async (client) => {
        const ids: Array<string> = []
        const query = `WorkflowType = "calendar" AND ExecutionStatus = "Running"`
        for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId)
        return ids
      })
      const [calendar] = yield* eventually("the calendar waits", calendars, (ids) => ids.length === 1)
      yield* temporal.call((client) => client.workflow.getHandle(calendar!).terminate("by an operator"))
      const app = yield* App
      const moved = yield* app.call("PUT", `/v1/record/${record}`, {
        token,
        body: { fields: { due: { start: stamp(6_000) } } }
      })
      assert.strictEqual(moved.status, 200, moved.text)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed")
      assert.strictEqual(yield* textOf(record, ref), "arrived")
    })
  )

  it.effect("reconcile brings back schedules and runs; a terminated run ends as cancelled", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const sql = yield* SqlClient.SqlClient
      const reconcile = yield* Reconcile
      const { appId, ref, state, token } = yield* setting
      const periodic = yield* automate(token, appId, {
        trigger: { type: "periodic", config: {} },
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      })
      yield* eventually("a schedule", Effect.isSuccess(scheduleOf(periodic)), (there) => there)
      yield* temporal.call((client) => client.schedule.getHandle(scheduleId(periodic)).delete())
      const id = yield* automate(token, appId, {
        trigger: { type: "record_created", config: {} },
        actions: [{ type: "delay", config: { delay_ms: 3_600_000 } }, setText(ref, "never")]
      })
      yield* createRecord(token, appId, state)
      const [run] = yield* eventually(
        "waits in its workflow",
        runsOf(id),
        ([one]) => one?.wait_until != null && one.workflow_started_on !== null
      )
      const handle = yield* Effect.map(temporal.client, (client) =>
        client.workflow.getHandle(runWorkflowId({ automation_id: id, run_id: run!.run_id }))
      )
      yield* Effect.promise(() => handle.terminate("by an operator"))
      yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute'`
      const reconciliation = yield* eventually("reconciled", reconcile.run(false), (r) => r.runs_cancelled === 1)
      assert.strictEqual(reconciliation.runs_started, 0)
      const [after] = yield* runsOver(id)
      assert.strictEqual(after!.status, "cancelled")
      yield* scheduleBack(periodic)
    })
  )
})
