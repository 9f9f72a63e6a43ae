// What an edit, a pause or a deletion means to runs that exist (decisions A2), manual runs of what does not validate (A18).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { runWorkflowId } from "../../../src/automations/engine/RunWorkflows.ts"
import { Temporal } from "../../../src/temporal/Temporal.ts"
import { App } from "../../support/app.ts"
import { eventually, spineLayer } from "../../support/spine.ts"
import { seedApp } from "../support.ts"
import { automate, createRecord, runsOf, runsOver, setText, textOf } from "./support.ts"

const created = { type: "record_created", config: {} }
const delay = (delay_ms: number) => ({ type: "delay", config: { delay_ms } })

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  return { ...seeded, ref: seeded.fields["reference"]! }
})

layer(spineLayer(), { excludeTestServices: true })("runs and their automation", (it) => {
  it.effect("editing and pausing while a run waits change nothing in it (A2)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(2_000), setText(ref, "old")] })
      const record = yield* createRecord(token, appId, {})
      const [waiting] = yield* eventually("waits", runsOf(id), (rows) => rows[0]?.wait_until != null)
      const edited = yield* app.call("PUT", `/v1/automation/${id}`, { token, body: { actions: [setText(ref, "new")] } })
      assert.strictEqual(edited.status, 200, edited.text)
      assert.strictEqual((yield* app.call("POST", `/v1/automation/${id}/pause`, { token })).status, 200)
      assert.isNotNull(waiting)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed")
      assert.strictEqual(yield* textOf(record, ref), "old")
      const { json } = yield* app.call("GET", `/v1/automation/${id}/revision`, { token })
      const of = yield* app.call("GET", `/v1/automation-run/${run!.run_id}`, { token })
      assert.notStrictEqual(of.json.automation_run.automation_revision_id, String(json.revisions[0].id))
    })
  )

  it.effect("deleting cancels every unfinished run, waiting ones too, and their workflows end (A2, 7.2)", () =>
    Effect.gen(function* () {
      const { appId, orgId, ref, token } = yield* setting
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const temporal = yield* Temporal
      const id = yield* automate(token, appId, { trigger: created, actions: [delay(3_600_000), setText(ref, "never")] })
      yield* createRecord(token, appId, {})
      yield* createRecord(token, appId, {})
      yield* eventually("both wait", runsOf(id), (rows) => rows.filter((r) => r.wait_until !== null).length === 2)
      // A third one has no place yet: the organization's are taken.
      yield* sql`INSERT INTO run_places (run_id, org_id, taken_on)
        SELECT 9000000000100 + i, ${orgId}, now() FROM generate_series(1, 50) AS i`
      yield* createRecord(token, appId, {})
      yield* eventually("a third", runsOf(id), (rows) => rows.length === 3 && rows[2]!.status === "pending")
      assert.strictEqual((yield* app.call("DELETE", `/v1/automation/${id}`, { token })).status, 200)
      const runs = yield* runsOver(id, 3)
      assert.deepStrictEqual([...new Set(runs.map(({ status }) => status))], ["cancelled"])
      for (const { run_id } of runs) {
        const handle = yield* Effect.map(temporal.client, (client) =>
          client.workflow.getHandle(runWorkflowId({ automation_id: id, run_id }))
        )
        yield* eventually(
          "the workflow is over",
          Effect.promise(() => handle.describe()),
          ({ status }) => status.name === "COMPLETED"
        )
        // Runs of deleted automations vanish (7.11).
        assert.strictEqual((yield* app.call("GET", `/v1/automation-run/${run_id}`, { token })).status, 404)
      }
    })
  )

  it.effect("manual run and simulate of a definition that does not validate are 409 with errors (A18)", () =>
    Effect.gen(function* () {
      const { appId, ref, token } = yield* setting
      const app = yield* App
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "valid")] })
      const record = yield* createRecord(token, appId, {}, "?workflow=false")
      const edited = yield* app.call("PUT", `/v1/automation/${id}`, {
        token,
        body: { actions: [setText(999_999_999, "invalid")] }
      })
      assert.strictEqual(edited.status, 200, edited.text)
      assert.strictEqual(edited.json.automation.status, "active")
      for (const what of ["manual-run", "simulate"]) {
        const answer = yield* app.call("POST", `/v1/automation/${id}/${what}`, { token, body: { record_id: record } })
        assert.strictEqual(answer.status, 409, answer.text)
        assert.match(answer.text, /field_assignment_variable_missing/)
      }
      assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )
})
