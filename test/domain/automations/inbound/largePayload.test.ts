// Large payloads of inbound webhooks and manual runs (developer-api.md 7.3, 7.9; decisions A3, P8): kept once, whatever names them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { releasePayloads } from "../../../../src/domain/automations/inbound/pruneCatches.ts"
import { pruneRuns } from "../../../../src/domain/automations/run/pruneRuns.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { compute, where } from "../actions/support.ts"
import { runsOf, runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const BASE = "http://127.0.0.1:8080"
const text = "words ".repeat(40_000)

const payloadVariable = (key: string) => ({
  kind: "variable",
  source: "trigger",
  trigger_type: "webhook_payload_property",
  key_path: [key],
  data_type: "text"
})

/** Fails at its end, so that its runs may be retried. */
const automation = {
  name: "Inbound",
  trigger: { type: "webhook_received", config: {} },
  filter: where(payloadVariable("kind"), "is", { type: "text", text: ["order"] }),
  actions: [
    compute("size", "trigger.webhook_payload.text.length"),
    compute("kind", payloadVariable("kind"), ""),
    compute("bad", "nothing.there")
  ]
}

const kept = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ payload_id: number; payload: any }>`SELECT payload_id, payload FROM webhook_payloads ORDER BY payload_id`,
    (rows) => rows
  )
)

/** By its runs: what each of them names, and the values that its steps had from it. */
const named = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ data: any; values: any }>`
    SELECT data, (SELECT jsonb_object_agg(label, value) FROM run_variables v WHERE v.run_id = r.run_id) AS values
    FROM runs r JOIN run_triggers USING (run_id) WHERE automation_id = ${id} ORDER BY run_id`
})

layer(spineLayer(), { excludeTestServices: true })("large payloads", (it) => {
  it.effect(
    "are kept once, for the event, its runs, their retries, and as last received; until nothing needs them",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { appId, token } = yield* seedApp()
        const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body: automation })
        assert.strictEqual(creation.status, 201, creation.text)
        const id = creation.json.automation.id as number
        const path = (creation.json.automation.trigger.config.webhook_url as string).slice(BASE.length)
        yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
        const manual = (body: object) =>
          Effect.map(app.call("POST", `/v1/automation/${id}/manual-run`, { token, body }), ({ status, text }) =>
            assert.strictEqual(status, 202, text)
          )

        const payload = { kind: "order", text }
        assert.strictEqual((yield* app.call("POST", path, { body: payload })).status, 202)
        const [first] = yield* runsOver(id)
        yield* manual({ use_last_received_webhook_payload: true })
        yield* runsOver(id, 2)
        const retried = yield* app.call("POST", `/v1/automation-run/${first!.run_id}/retry`, { token, body: {} })
        assert.strictEqual(retried.status, 202, retried.text)
        yield* runsOver(id, 3)
        const [only, ...others] = yield* kept
        assert.deepStrictEqual(only!.payload, payload)
        assert.strictEqual(others.length, 0)
        for (const { data, values } of yield* named(id)) {
          assert.strictEqual(data.webhook_payload_id, only!.payload_id)
          assert.isFalse("webhook_payload" in data)
          if (data.webhook_payload_chars !== undefined)
            assert.strictEqual(data.webhook_payload_chars, JSON.stringify(payload).length)
          assert.deepStrictEqual(values, { size: text.length, kind: "order", bad: null })
        }
        const [last] = yield* sql`SELECT payload, payload_id FROM webhook_catches WHERE automation_id = ${id}`
        assert.deepStrictEqual(last, { payload: null, payload_id: only!.payload_id })

        yield* manual({ webhook_payload: payload })
        yield* runsOver(id, 4)
        yield* manual({ webhook_payload: { kind: "order", text: "few words" } })
        yield* runsOver(id, 5)
        assert.strictEqual((yield* kept).length, 2)
        const [large, small] = (yield* named(id)).slice(-2)
        assert.deepStrictEqual(large!.values, { size: text.length, kind: "order", bad: null })
        assert.deepStrictEqual(small!.data.webhook_payload, { kind: "order", text: "few words" })
        assert.deepStrictEqual(small!.values, { size: 9, kind: "order", bad: null })

        const keptCount = Effect.gen(function* () {
          yield* releasePayloads
          return (yield* kept).length
        })
        assert.strictEqual(yield* keptCount, 2, "young ones may be on their way")
        yield* sql`UPDATE webhook_payloads SET kept_on = kept_on - interval '31 days'`
        assert.strictEqual(yield* keptCount, 2, "runs that are kept may be retried")
        yield* sql`UPDATE runs SET completed_on = completed_on - interval '31 days' WHERE automation_id = ${id}`
        yield* pruneRuns
        assert.strictEqual(yield* keptCount, 1, "a manual run may ask for the last received one")
        yield* manual({ use_last_received_webhook_payload: true })
        const [again] = yield* runsOver(id)
        assert.strictEqual((yield* named(id))[0]!.data.webhook_payload_id, only!.payload_id)
        yield* sql`UPDATE runs SET completed_on = completed_on - interval '31 days' WHERE run_id = ${again!.run_id}::bigint`
        yield* pruneRuns
        assert.strictEqual((yield* app.call("DELETE", `/v1/automation/${id}`, { token })).status, 200)
        assert.strictEqual(yield* keptCount, 0)
      })
  )

  it.effect("of inactive automations and without a run are not kept beyond what was last received", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { appId, token } = yield* seedApp()
      const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body: automation })
      yield* sql`DELETE FROM webhook_payloads`
      const id = creation.json.automation.id as number
      const path = (creation.json.automation.trigger.config.webhook_url as string).slice(BASE.length)
      const send = (kind: string) => app.call("POST", path, { body: { kind, text } })
      assert.strictEqual((yield* send("order")).status, 202)
      assert.strictEqual((yield* kept).length, 0, "a draft keeps nothing (A23)")
      yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      yield* send("offer")
      yield* send("question")
      const pendingEvents = sql`SELECT 1 FROM outbox UNION ALL SELECT 1 FROM automation_events`
      yield* eventually("both are decided", pendingEvents, (rows) => rows.length === 0)
      assert.strictEqual((yield* runsOf(id)).length, 0, "the filter lets none pass")
      yield* sql`UPDATE webhook_payloads SET kept_on = kept_on - interval '1 day'`
      assert.deepStrictEqual(yield* releasePayloads, { payloads: 1 })
      assert.deepStrictEqual(
        (yield* kept).map(({ payload }) => payload.kind),
        ["question"]
      )
    })
  )
})
