// The thin thread: a change over HTTP, an event, an actor, a run (developer-api.md 7.5, 7.11; design: one flow).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../support/app.ts"
import { eventually, spineLayer } from "../../support/spine.ts"
import { seedApp } from "../support.ts"

const assign = (field_type: string, field_id: number, value: ReadonlyArray<string>) => ({
  field_type,
  variable_def: { kind: "variable", source: "field", field_id, field_type },
  assignment_type: "set",
  field_value: value
})

const automate = Effect.fnUntraced(function* (token: string, appId: number, body: object) {
  const app = yield* App
  const made = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
  assert.strictEqual(made.status, 201, made.text)
  const id = made.json.automation.id as number
  const active = yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
  assert.strictEqual(active.status, 200, active.text)
  return id
})

const runsOf = (automationId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<any>`SELECT r.*, r.run_id::text,
      (SELECT jsonb_agg(to_jsonb(l) ORDER BY seq) FROM run_logs l WHERE l.run_id = r.run_id) AS logs,
      (SELECT jsonb_agg(to_jsonb(g) ORDER BY path, iteration) FROM run_ledger g WHERE g.run_id = r.run_id) AS ledger
      FROM runs r WHERE automation_id = ${automationId} ORDER BY r.run_id`
  )

layer(spineLayer(), { excludeTestServices: true })("the thin thread of automations", (it) => {
  it.effect("a created record fires a plain run in its actor: effect, ledger and log together (7.11)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, options, token } = yield* seedApp()
      const id = yield* automate(token, appId, {
        name: "Stamp",
        trigger: { type: "record_created", config: {} },
        actions: [
          {
            type: "current_record_update",
            config: { field_assignments: [assign("single_text", fields["reference"]!, ["stamped"])] }
          }
        ]
      })
      const record = yield* app.call("POST", `/v1/record/app/${appId}`, {
        token,
        body: { fields: { state: options["state"]![0] } }
      })
      assert.strictEqual(record.status, 200, record.text)
      const [run] = yield* eventually("a run", runsOf(id), (rows) => rows[0]?.status === "completed")
      assert.strictEqual(run.durable, false)
      assert.strictEqual(run.ledger.length, 1)
      assert.deepStrictEqual(
        run.logs.map((log: any) => [log.type, log.status]),
        [
          ["trigger", "success"],
          ["action", "success"]
        ]
      )
      const after = yield* app.call("GET", `/v1/record/${record.json.record_id}`, { token })
      assert.match(JSON.stringify(after.json), /stamped/)
    })
  )

  it.effect("a delay makes a run workflow with a timer, and the step after it runs once (7.6)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { appId, fields, options, token } = yield* seedApp()
      const id = yield* automate(token, appId, {
        name: "Later",
        trigger: { type: "record_created", config: {} },
        actions: [
          { type: "delay", config: { delay_ms: 1000 } },
          {
            type: "current_record_update",
            config: {
              field_assignments: [assign("single_text", fields["reference"]!, ["later"])],
              trigger_other_flows: false
            }
          }
        ]
      })
      yield* app.call("POST", `/v1/record/app/${appId}`, {
        token,
        body: { fields: { state: options["state"]![0] } }
      })
      const [waiting] = yield* eventually("a waiting run", runsOf(id), (rows) => rows[0]?.wait_until != null)
      assert.strictEqual(waiting.status, "running")
      const held = yield* sql`SELECT 1 FROM run_places`
      assert.strictEqual(held.length, 0, "a run that waits holds no place")
      const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.status === "completed")
      assert.strictEqual(run.durable, true)
      assert.deepStrictEqual(
        run.ledger.map((entry: any) => [entry.path, entry.state]),
        [
          ["0", "done"],
          ["1", "done"]
        ]
      )
      const mailbox = yield* sql`SELECT 1 FROM automation_inbox UNION ALL SELECT 1 FROM automation_events`
      assert.strictEqual(mailbox.length, 0, "rows go when they are done")
    })
  )
})
