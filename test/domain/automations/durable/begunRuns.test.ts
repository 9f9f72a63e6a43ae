// A run that has begun while its mailbox row is still there: a called run, until the row's activation learns of it (decisions A17), or any run
// whose start was done though its answer was lost. It is woken as any run with a workflow, reconciled, and asks for its slots itself.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../../src/domain/automations/durable/Reconcile.ts"
import { turnEvent, wakeEvent } from "../../../../src/domain/automations/model/fireCommand.ts"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const delay = { type: "delay", config: { delay_ms: 3_600_000 } }

/** A mailbox row of the run, with its event, as one in flight or one whose start has failed has it. */
const insertRow = (runId: string, dueIn: "0 hours" | "1 hour") =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      WITH run AS (SELECT * FROM runs WHERE run_id = ${runId}::bigint), event AS (
        INSERT INTO automation_events (event_id, type, org_id, app_id, record_id, depth, payload, created_on)
        SELECT event_id, 'record.create', org_id, app_id, record_id, 0, '{}', created_on FROM run ON CONFLICT DO NOTHING
      )
      INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, run_id, due_at)
      SELECT app_id, org_id, automation_id, event_id, run_id, now() + ${dueIn}::interval FROM run`
  )

/** A run that waits in its workflow, whose mailbox row is there again, as one in flight is. */
const begunRun = Effect.gen(function* () {
  const { appId, token } = yield* seedApp([])
  const automationId = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [delay]
  })
  yield* createRecord(token, appId, {})
  const [run] = yield* eventually("waits", runsOf(automationId), ([one]) => one?.workflow_started_on != null)
  yield* insertRow(run!.run_id, "1 hour")
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

  it.effect("keeps waiting for the run that it has called, without a slot and without a turn (7.13)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      const { appId, orgId, token } = yield* seedApp([])
      const calledId = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: {} },
        actions: [delay]
      })
      const automationId = yield* automate(token, appId, {
        trigger: { type: "record_created", config: {} },
        concurrency: { at_most: 1 },
        actions: [
          { type: "current_record_call_automation", config: { automation_id: calledId, wait_for_result: true } }
        ]
      })
      yield* createRecord(token, appId, {})
      yield* eventually("the called run waits", runsOf(calledId), ([one]) => one?.wait_until != null)
      const [run] = yield* runsOf(automationId)
      const state = sql<{ wait_why: string | null; slot: boolean }>`
        SELECT wait_why, EXISTS (SELECT 1 FROM run_places p WHERE p.run_id = r.run_id) AS slot
        FROM runs r WHERE run_id = ${run!.run_id}::bigint`
      const waitingState = [{ wait_why: "called_run", slot: false }]
      yield* eventually("has given its slot back", state, ([row]) => row?.slot === false)
      assert.deepStrictEqual(yield* state, waitingState)
      // As if its start had been done, and the answer lost.
      yield* sql`UPDATE runs SET workflow_started_on = NULL WHERE run_id = ${run!.run_id}::bigint`
      yield* insertRow(run!.run_id, "0 hours")
      // An event of the automation wakes its app's actor.
      const wakingEvent = turnEvent(
        { app_id: appId, org_id: orgId },
        { automation_id: automationId, record_id: null, all: false }
      )
      yield* sql.withTransaction(outbox.append([wakingEvent]))
      yield* eventually(
        "the row is gone",
        sql`SELECT 1 FROM automation_inbox WHERE run_id = ${run!.run_id}::bigint`,
        (rows) => rows.length === 0
      )
      assert.deepStrictEqual(yield* state, waitingState)
    })
  )
})
