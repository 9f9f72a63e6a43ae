// Inbound webhooks and weblinks, end to end (developer-api.md 7.9, 7.10).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../support/app.ts"
import { spineLayer } from "../../support/spine.ts"
import { seedApp } from "../support.ts"
import { automate, createRecord, runsOf, runsOver, setText, textOf } from "./support.ts"

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp()
  const { fields, options } = seeded
  return { ...seeded, ref: fields["reference"]!, state: { state: options["state"]![0] } }
})

const done = { type: "exit", config: { exit_type: "success" } }
const failed = { type: "exit", config: { exit_type: "failure" } }

const catcher = Effect.fnUntraced(function* (token: string, appId: number, config: object, actions = [done]) {
  const app = yield* App
  const id = yield* automate(token, appId, { trigger: { type: "webhook_received", config }, actions })
  const read = yield* app.call("GET", `/v1/automation/${id}`, { token })
  const url = new URL(read.json.automation.trigger.config.webhook_url)
  return { id, path: url.pathname }
})

const payloadOf = (runId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ data: any }>`SELECT data FROM run_triggers WHERE run_id = ${runId}::bigint`,
      ([row]) => row!.data.webhook_payload
    )
  )

layer(spineLayer(), { excludeTestServices: true })("inbound webhooks (7.9)", (it) => {
  it.effect("immediate answers 202 once the event is stored; JSON, form and text become the payload", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* setting
      const { id, path } = yield* catcher(token, appId, {})
      const json = yield* app.call("POST", path, { body: { a: [1] } })
      assert.strictEqual(json.status, 202, json.text)
      assert.deepStrictEqual(json.json, {})
      const form = { "content-type": "application/x-www-form-urlencoded" }
      yield* app.call("PUT", path, { body: "a=1&a=2&b=x", headers: form })
      yield* app.call("GET", `${path}?q=1`)
      yield* app.call("POST", path, { body: "hello", headers: { "content-type": "text/plain" } })
      const malformed = yield* app.call("POST", path, { body: "{", headers: { "content-type": "application/json" } })
      assert.strictEqual(malformed.status, 400)
      assert.strictEqual((yield* app.call("POST", "/api/catch/unknown", { body: {} })).status, 404)
      const large = yield* app.call("POST", path, {
        body: "x".repeat(1_100_000),
        headers: { "content-type": "text/plain" }
      })
      assert.strictEqual(large.status, 400, large.text)
      const deep = "[".repeat(100_000) + "]".repeat(100_000)
      assert.strictEqual(
        (yield* app.call("POST", path, { body: deep, headers: { "content-type": "application/json" } })).status,
        400
      )
      const odd = yield* app.call("POST", path, {
        body: '{"a\\u0000":"x\\u0000y\\ud800"}',
        headers: { "content-type": "application/json" }
      })
      assert.strictEqual(odd.status, 202, odd.text)
      const runs = yield* runsOver(id, 5)
      const payloads = yield* Effect.forEach(runs, ({ run_id }) => payloadOf(run_id))
      assert.deepStrictEqual(payloads, [
        { a: [1] },
        { a: ["1", "2"], b: "x" },
        { q: "1" },
        { raw: "hello" },
        { "a\ufffd": "x\ufffdy\ufffd" }
      ])
    })
  )

  it.effect(
    "sync waits for the end of the run: response_*, 204 for a mismatch, 500 for a failed run, 202 at the time-out",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, token } = yield* setting
        const config = {
          response_mode: "sync",
          response_status: 201,
          response_content_type: "text/plain",
          response_body: "made",
          response_timeout_seconds: 20
        }
        const ok = yield* catcher(token, appId, config)
        const answer = yield* app.call("POST", ok.path, { body: {} })
        assert.strictEqual(answer.status, 201, answer.text)
        assert.strictEqual(answer.text, "made")
        const bad = yield* catcher(token, appId, config, [failed])
        assert.strictEqual((yield* app.call("POST", bad.path, { body: {} })).status, 500)
        const slow = yield* catcher(token, appId, { ...config, response_timeout_seconds: 1 }, [
          { type: "delay", config: { delay_ms: 60_000 } } as never,
          done
        ])
        assert.strictEqual((yield* app.call("POST", slow.path, { body: {} })).status, 202)
      })
  )

  it.effect("paused keeps the payload as last received and makes no run; the 101st request of a minute is a 429", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { appId, token } = yield* setting
      const { id, path } = yield* catcher(token, appId, {})
      yield* app.call("POST", `/v1/automation/${id}/pause`, { token })
      assert.strictEqual((yield* app.call("POST", path, { body: { kept: true } })).status, 202)
      assert.strictEqual((yield* runsOf(id)).length, 0)
      const again = yield* app.call("POST", `/v1/automation/${id}/manual-run`, {
        token,
        body: { use_last_received_webhook_payload: true }
      })
      assert.strictEqual(again.status, 202, again.text)
      const [run] = yield* runsOver(id)
      assert.deepStrictEqual(yield* payloadOf(run!.run_id), { kept: true })
      yield* sql`UPDATE webhook_catches SET window_count = 100 WHERE automation_id = ${id}`
      const refused = yield* app.call("POST", path, { body: {} })
      assert.strictEqual(refused.status, 429)
      assert.isNotNull(refused.headers.get("retry-after"))
    })
  )
})

layer(spineLayer(), { excludeTestServices: true })("weblinks (7.10)", (it) => {
  const link = Effect.fnUntraced(function* (token: string, automation: number, record: number, more: object = {}) {
    const app = yield* App
    const made = yield* app.call("POST", "/v1/automation/weblink/generate", {
      token,
      body: { trigger_workflow_def_id: automation, trigger_on_record_id: record, ...more }
    })
    assert.strictEqual(made.status, 201, made.text)
    assert.match(made.json.trigger_token, /^[0-9a-f-]{36}$/)
    return new URL(made.json.trigger_client_url).pathname
  })

  it.effect("a click fires and shows Done; HEAD and prefetch do not fire; unknown links are a neutral 410", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, ref, state, token } = yield* setting
      const id = yield* automate(token, appId, {
        trigger: { type: "weblink_clicked", config: {} },
        actions: [setText(ref, "clicked")]
      })
      const record = yield* createRecord(token, appId, state)
      const path = yield* link(token, id, record)
      yield* app.call("HEAD", path)
      yield* app.call("GET", path, { headers: { "sec-purpose": "prefetch;prerender" } })
      assert.strictEqual((yield* runsOf(id)).length, 0)
      const page = yield* app.call("GET", path)
      assert.strictEqual(page.status, 200, page.text)
      assert.match(page.text, /Done/)
      assert.match(page.headers.get("content-security-policy")!, /sandbox/)
      assert.notMatch(page.headers.get("content-security-policy")!, /script-src/)
      assert.strictEqual(yield* textOf(record, ref), "clicked")
      const unknown = yield* app.call("GET", `${path.slice(0, -4)}0000`)
      assert.strictEqual(unknown.status, 410)
    })
  )

  it.effect(
    "expire_after_first_click, expiry, pause and trash end a link; more than 30 clicks a minute are a 429",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { appId, ref, state, token } = yield* setting
        const id = yield* automate(token, appId, {
          trigger: { type: "weblink_clicked", config: {} },
          actions: [setText(ref, "clicked")]
        })
        const record = yield* createRecord(token, appId, state)
        const once = yield* link(token, id, record, { expire_after_first_click: true })
        assert.strictEqual((yield* app.call("GET", once)).status, 200)
        assert.strictEqual((yield* app.call("GET", once)).status, 410)
        const dated = yield* link(token, id, record, { expiration_type: "ONE_DAY" })
        assert.strictEqual((yield* app.call("GET", dated)).status, 200)
        yield* sql`UPDATE weblinks SET expires_on = now() - interval '1 second' WHERE expires_on IS NOT NULL`
        assert.strictEqual((yield* app.call("GET", dated)).status, 410)
        const often = yield* link(token, id, record)
        yield* app.call("GET", often)
        yield* sql`UPDATE weblinks SET window_count = 30 WHERE NOT once AND expires_on IS NULL`
        assert.strictEqual((yield* app.call("GET", often)).status, 429)
        yield* sql`UPDATE weblinks SET window_count = 0`
        yield* app.call("POST", `/v1/automation/${id}/pause`, { token })
        assert.strictEqual((yield* app.call("GET", often)).status, 410)
        const other = yield* automate(token, appId, {
          trigger: { type: "automation_called", config: {} },
          actions: [done]
        })
        const refused = yield* app.call("POST", "/v1/workflow/weblink/generate", {
          token,
          body: { trigger_workflow_def_id: other, trigger_on_record_id: record }
        })
        assert.strictEqual(refused.status, 400, refused.text)
      })
  )
})
