// What an operator may do to the workflows of runs (docs/operations.md): cancel, reset, lose Temporal's data altogether.
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../src/automations/engine/Reconcile.ts"
import { runWorkflowId } from "../../../src/automations/engine/RunWorkflows.ts"
import { scheduleId } from "../../../src/automations/engine/Schedules.ts"
import { Temporal } from "../../../src/temporal/Temporal.ts"
import * as messages from "../../../workflows/messages.ts"
import { eventually, spineLayer } from "../../support/spine.ts"
import { seedApp } from "../support.ts"
import { assign, automate, createRecord, runsOf, runsOver, setText } from "./support.ts"

const created = { type: "record_created", config: {} }
const delay = (delay_ms: number) => ({ type: "delay", config: { delay_ms } })

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  return { ...seeded, ref: seeded.fields["reference"]! }
})

const waiting = (id: number) => eventually("waits", runsOf(id), (rows) => rows[0]?.wait_until != null)

layer(spineLayer(), { excludeTestServices: true })("operators and the workflows of runs", (it) => {
  it.effect("a workflow cancelled in Temporal ends its run as cancelled", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000), setText(ref, "never")] })
      yield* createRecord(token, appId, {})
      const [run] = yield* waiting(id)
      const workflowId = runWorkflowId({ automation_id: id, run_id: run!.run_id })
      yield* temporal.call((client) => client.workflow.getHandle(workflowId).cancel())
      assert.strictEqual((yield* runsOver(id))[0]!.status, "cancelled")
    })
  )

  it.effect("a workflow terminated in Temporal ends its run as cancelled at the next reconcile", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const sql = yield* SqlClient.SqlClient
      const reconcile = yield* Reconcile
      const { appId, ref, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000), setText(ref, "never")] })
      yield* createRecord(token, appId, {})
      const [run] = yield* waiting(id)
      const workflowId = runWorkflowId({ automation_id: id, run_id: run!.run_id })
      yield* temporal.call((client) => client.workflow.getHandle(workflowId).terminate("by an operator"))
      assert.strictEqual((yield* runsOf(id))[0]!.status, "running")
      // Runs that have only just begun are left alone.
      yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute' WHERE run_id = ${run!.run_id}::bigint`
      const reconciled = Effect.andThen(reconcile.run(false), runsOf(id))
      const [over] = yield* eventually("cancelled", reconciled, ([row]) => row?.status !== "running")
      assert.strictEqual(over!.status, "cancelled")
    })
  )

  it.effect("a chain of calls: each link is a workflow that names automation, trigger, record and its caller", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const sql = yield* SqlClient.SqlClient
      const { appId, orgId, ref, token } = yield* setting
      const onCall = { type: "automation_called", config: {} }
      const calling = (automation_id: number) => ({ type: "current_record_call_automation", config: { automation_id } })
      const last = yield* automate(token, appId, { name: "Last", trigger: onCall, actions: [setText(ref, "called")] })
      const middle = yield* automate(token, appId, { name: "Middle", trigger: onCall, actions: [calling(last)] })
      const first = yield* automate(token, appId, { name: "First", trigger: created, actions: [calling(middle)] })
      yield* createRecord(token, appId, { reference: "R-1" })
      const [end] = yield* runsOver(last)
      assert.strictEqual(end!.status, "completed")
      const [root] = yield* runsOf(first)
      const [row] = yield* sql<{ root_run_id: string }>`
        SELECT root_run_id::text FROM runs WHERE run_id = ${end!.run_id}::bigint`
      assert.strictEqual(row!.root_run_id, root!.run_id)
      const listed = temporal.call(async (client) => {
        const found: Array<{ id: string; automation: unknown; status: string }> = []
        for await (const one of client.workflow.list({ query: `Chain = "${root!.run_id}"` })) {
          const automation = one.typedSearchAttributes.get(messages.Automation)
          found.push({ id: one.workflowId, automation, status: one.status.name })
        }
        return found.sort((a, b) => Number(a.automation) - Number(b.automation))
      })
      const found = yield* eventually("three links over", listed, (links) => {
        return links.length === 3 && links.every(({ status }) => status === "COMPLETED")
      })
      assert.deepStrictEqual(
        found.map(({ automation }) => Number(automation)),
        [last, middle, first]
      )
      // By organization, app, automation and status.
      const query = `Organization = "${orgId}" AND App = "${appId}" AND Automation = "${middle}" AND RunStatus = "completed"`
      const filtered = temporal.call(async (client) => {
        const ids: Array<string> = []
        for await (const one of client.workflow.list({ query })) ids.push(one.workflowId)
        return ids
      })
      yield* eventually("the middle link", filtered, (ids) => String(ids) === found[1]!.id)
      const handle = (id: string) => temporal.call((client) => client.workflow.getHandle(id).describe())
      const link = yield* handle(found[0]!.id)
      assert.strictEqual(yield* Effect.promise(() => link.staticSummary()), "Last · Automation called · R-1")
      const caused = yield* Effect.promise(() => link.staticDetails())
      assert.include(caused, found[1]!.id)
    })
  )

  it.effect("a reset to the first task repeats no finished step, and a delay keeps its instant", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const sql = yield* SqlClient.SqlClient
      const { appId, ref, token } = yield* setting
      const make = {
        type: "record_create",
        config: {
          app_id: appId,
          field_assignments: [assign("single_text", ref, ["made"])],
          trigger_other_flows: false
        }
      }
      const id = yield* automate(token, appId, { trigger: created, actions: [make, delay(4_000), make] })
      yield* createRecord(token, appId, {})
      const [run] = yield* waiting(id)
      const workflowId = runWorkflowId({ automation_id: id, run_id: run!.run_id })
      const before = yield* temporal.call((client) => client.workflow.getHandle(workflowId).describe())
      yield* temporal.call((client) =>
        client.workflowService.resetWorkflowExecution({
          namespace: temporal.settings.namespace,
          workflowExecution: { workflowId, runId: before.runId },
          workflowTaskFinishEventId: 4 as never,
          reason: "a test",
          requestId: randomUUID()
        })
      )
      const after = yield* temporal.call((client) => client.workflow.getHandle(workflowId).describe())
      assert.notStrictEqual(after.runId, before.runId)
      const [done] = yield* runsOver(id)
      assert.strictEqual(done!.status, "completed")
      const made = yield* sql`SELECT 1 FROM records WHERE app_id = ${appId} AND cells ->> ${String(ref)} LIKE '%made%'`
      assert.strictEqual(made.length, 2)
      const [waited] = yield* sql<{ until: number; done_on: Date }>`
        SELECT (result ->> 'until')::float8 AS until, done_on FROM run_ledger
        WHERE run_id = ${run!.run_id}::bigint AND path = '1'`
      assert.strictEqual(waited!.until, run!.wait_until!.getTime())
      assert.isAtLeast(waited!.done_on.getTime(), waited!.until)
    })
  )

  it.effect(
    "when Temporal's data is gone, reconcile brings back schedules and waiting runs; the actor comes by itself",
    () =>
      Effect.gen(function* () {
        const temporal = yield* Temporal
        const sql = yield* SqlClient.SqlClient
        const reconcile = yield* Reconcile
        const { appId, ref, token } = yield* setting
        const periodic = yield* automate(token, appId, {
          trigger: { type: "periodic", config: {} },
          actions: [{ type: "exit", config: { exit_type: "success" } }]
        })
        const schedule = temporal.call((client) => client.schedule.getHandle(scheduleId(periodic)).describe())
        yield* eventually("a schedule", Effect.isSuccess(schedule), (there) => there)
        const id = yield* automate(token, appId, { trigger: created, actions: [delay(6_000), setText(ref, "late")] })
        yield* createRecord(token, appId, {})
        const [run] = yield* waiting(id)
        // Everything of this app that Temporal knows.
        const workflowIds = [runWorkflowId({ automation_id: id, run_id: run!.run_id }), `automations/app/${appId}`]
        yield* temporal.call((client) => client.schedule.getHandle(scheduleId(periodic)).delete())
        for (const workflowId of workflowIds) {
          yield* temporal.call((client) =>
            client.workflowService.deleteWorkflowExecution({
              namespace: temporal.settings.namespace,
              workflowExecution: { workflowId }
            })
          )
          const described = temporal.call((client) => client.workflow.getHandle(workflowId).describe())
          yield* eventually("gone", Effect.isSuccess(described), (there) => !there)
        }
        yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute' WHERE run_id = ${run!.run_id}::bigint`
        const done = yield* eventually("reconciled", reconcile.run(false), (r) => r.runs_started === 1)
        assert.strictEqual(done.runs_cancelled, 0)
        assert.isTrue(yield* Effect.isSuccess(schedule))
        const [after] = yield* runsOver(id)
        assert.strictEqual(after!.status, "completed")
        // The app's actor is there again for the next event.
        yield* createRecord(token, appId, {})
        yield* eventually("a second run", runsOf(id), (rows) => rows.length === 2)
      })
  )
})
