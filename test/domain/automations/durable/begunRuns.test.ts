// A called run that has begun while its mailbox row is still there, as until the row's activation learns of it (decisions A17): it is woken as
// any run with a workflow, and reconciled.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../../src/domain/automations/durable/Reconcile.ts"
import { wakeEvent } from "../../../../src/domain/automations/model/fireCommand.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

/** A run that waits in its workflow, whose mailbox row is there again, as one in flight is. */
const begunRun = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { appId, token } = yield* seedApp([])
  const automationId = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [{ type: "delay", config: { delay_ms: 3_600_000 } }]
  })
  yield* createRecord(token, appId, {})
  const [run] = yield* eventually("waits", runsOf(automationId), ([one]) => one?.workflow_started_on != null)
  yield* sql`
    INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, run_id, due_at)
    SELECT app_id, org_id, automation_id, event_id, run_id, now() + interval '1 hour' FROM runs WHERE run_id = ${run!.run_id}::bigint`
  const workflowId = runWorkflowId({ automation_id: automationId, run_id: run!.run_id })
  return { automationId, run: run!, workflowId }
})

layer(spineLayer(), { excludeTestServices: true })("a begun run whose mailbox row is still there", (it) => {
  it.effect("is woken by its workflow", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const temporal = yield* Temporal
      const outbox = yield* Outbox
      const { automationId, run, workflowId } = yield* begunRun
      const signals = temporal.call(async (client) =>
        ((await client.workflow.getHandle(workflowId).fetchHistory()).events ?? []).flatMap(
          ({ workflowExecutionSignaledEventAttributes: of }) => of?.signalName ?? []
        )
      )
      const signalsBefore = (yield* signals).length
      const [ids] = yield* sql<{ org_id: number; app_id: number }>`
        SELECT org_id, app_id FROM runs WHERE run_id = ${run.run_id}::bigint`
      yield* sql.withTransaction(
        outbox.append([wakeEvent({ ...ids!, automation_id: automationId, run_id: run.run_id })])
      )
      const signalNames = yield* eventually("is signalled", signals, (names) => names.length > signalsBefore)
      assert.strictEqual(signalNames.at(-1), "wakeRun")
    })
  )

  it.effect("ends as cancelled after its workflow was terminated", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const temporal = yield* Temporal
      const reconcile = yield* Reconcile
      const { automationId, run, workflowId } = yield* begunRun
      yield* temporal.call((client) => client.workflow.getHandle(workflowId).terminate("by an operator"))
      // Runs that have only just begun are left alone.
      yield* sql`UPDATE runs SET created_on = created_on - interval '1 minute' WHERE run_id = ${run.run_id}::bigint`
      const reconciled = Effect.andThen(reconcile.run(false), runsOf(automationId))
      const [over] = yield* eventually("cancelled", reconciled, ([row]) => row?.status !== "running")
      assert.strictEqual(over!.status, "cancelled")
    })
  )
})
