// A worker that does not know a step's activity, as one of an older release during a deploy: the step fails at once and says so,
// and its run goes on where the definition wants that (developer-api.md 7.11 run semantics 3).
import { assert, layer } from "@effect/vitest"
import { Worker } from "@temporalio/worker"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOf, runsOver, setText } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const OLDER = "older-release"

/** A worker that knows one of the outside steps alone. */
const olderWorker = Effect.gen(function* () {
  const temporal = yield* Temporal
  const connection = yield* temporal.connection
  const { namespace } = temporal.settings
  const activities = { http_call: async () => null }
  const worker = yield* Effect.promise(() => Worker.create({ connection, namespace, taskQueue: OLDER, activities }))
  const running = worker.run()
  yield* Effect.addFinalizer(() => {
    worker.shutdown()
    return Effect.promise(() => running)
  })
})

/** The delay is over, and the run's workflow is there once more, with its outside steps on the older worker's queue. */
const handToOlder = Effect.fnUntraced(function* (automationId: number) {
  const temporal = yield* Temporal
  const sql = yield* SqlClient.SqlClient
  const [run] = yield* eventually(
    "waits",
    runsOf(automationId),
    (rows) => rows[0]?.wait_until != null && rows[0].workflow_started_on !== null
  )
  const input = { runId: run!.run_id, automationId, outsideQueue: OLDER }
  yield* temporal.call(async (client) => {
    const workflowId = runWorkflowId(run!)
    await client.workflow.getHandle(workflowId).terminate("a test")
  })
  yield* sql`UPDATE runs SET wait_until = now() WHERE run_id = ${run!.run_id}::bigint`
  yield* sql`UPDATE run_ledger SET result = '{"until":0}' WHERE run_id = ${run!.run_id}::bigint`
  yield* temporal.call(async (client) => {
    const workflowId = runWorkflowId(run!)
    await client.workflow.start("automationRun", {
      workflowId,
      taskQueue: temporal.settings.queues.actors,
      args: [input]
    })
  })
  return run!
})

const steps = (ref: number, more: object) => [
  { type: "delay", config: { delay_ms: 3_600_000 } },
  { type: "create_pdf", ...more, config: { pdf_body: ["Hello"] } },
  setText(ref, "behind it")
]

layer(spineLayer(), { excludeTestServices: true })("an outside step that no worker knows", (it) => {
  it.effect.each([
    { more: {}, status: "failed", entries: ["failure"], error: /create_pdf/ },
    { more: { continue_on_error: true }, status: "completed", entries: ["failure", "success"], error: null }
  ])(
    "fails at once, and says why: the run is $status",
    ({ entries, error, more, status }) =>
      Effect.gen(function* () {
        yield* olderWorker
        const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
        const id = yield* automate(token, appId, {
          trigger: { type: "record_created", config: {} },
          actions: steps(fields["reference"]!, more)
        })
        yield* createRecord(token, appId, { reference: "before" })
        const { run_id } = yield* handToOlder(id)
        const [run] = yield* runsOver(id)
        assert.strictEqual(run!.run_id, run_id)
        assert.strictEqual(run!.status, status)
        if (error === null) assert.isNull(run!.error_message)
        else assert.match(run!.error_message!, error)
        const actionLogs = run!.logs
          .filter(({ type }) => type === "action" || type === "create_pdf")
          .slice(-entries.length)
        assert.deepStrictEqual(
          run!.ledger.filter(({ path }: { path: string }) => path === "1").map((entry) => entry.state),
          ["failed"]
        )
        assert.deepStrictEqual(
          actionLogs.map((entry) => entry.status),
          entries
        )
      }).pipe(Effect.scoped),
    60_000
  )
})
