// The request around the payload of an inbound webhook (developer-api.md 7.9): headers, query and the body as it was sent.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { runsOf, runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const triggerVariable = (trigger_type: string, key?: string) => ({
  ...{ kind: "variable", source: "trigger", trigger_type },
  ...(key === undefined ? {} : { key })
})

const inbound = Effect.fnUntraced(function* (actions: ReadonlyArray<object>, config: object = {}, more: object = {}) {
  const app = yield* App
  const { appId, token } = yield* seedApp()
  const body = { name: "Inbound", trigger: { type: "webhook_received", config }, actions, ...more }
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  const active = yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
  assert.strictEqual(active.status, 200, active.text)
  return { id, token, path: new URL(creation.json.automation.trigger.config.webhook_url).pathname }
})

const sync = (response_body: ReadonlyArray<unknown>) => ({
  ...{ response_mode: "sync", response_timeout_seconds: 30, response_content_type: "text/plain", response_body }
})

const script = (code: string) => ({
  type: "custom_code",
  config: { code, custom_variable_defs: [{ custom_type: "any", label: "seen" }] }
})

const RAW = '{ "n" : 1.0,\r\n "text":"ä" }'
const BEARER = "sender-credential-5b1f7c2e"

layer(spineLayer(), { excludeTestServices: true })("the request to an inbound address (7.9)", (it) => {
  it.effect("headers, query and the body as it was sent reach templates, conditions and scripts", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, path } = yield* inbound(
        [script(`return [trigger.webhook_headers["x-event"], trigger.webhook_query.tag, trigger.webhook_raw_body]`)],
        sync([
          ...[
            triggerVariable("webhook_headers", "X-Event"),
            "|",
            triggerVariable("webhook_query", "tag"),
            "|",
            triggerVariable("webhook_raw_body"),
            "|"
          ],
          ...[
            triggerVariable("webhook_headers", "absent"),
            { kind: "variable", source: "custom", custom_type: "any", label: "seen" }
          ]
        ]),
        {
          filter: {
            operator: "and",
            rows: [
              {
                subject: triggerVariable("webhook_headers", "x-event"),
                operator: "is",
                value: { type: "text", text: ["push"] }
              }
            ]
          }
        }
      )
      const send = (event: string) =>
        app.call("POST", `${path}?tag=a&tag=b`, {
          body: RAW,
          headers: { "content-type": "application/json", "x-event": event }
        })
      const answer = yield* send("push")
      assert.strictEqual(answer.status, 200, answer.text)
      const shownText = JSON.stringify(["push", ["a", "b"], RAW])
      assert.strictEqual(answer.text, `push|a, b|${RAW}|${shownText}`)
      assert.strictEqual((yield* send("ping")).status, 204)
      assert.strictEqual((yield* runsOver(id)).length, 1)
    })
  )

  it.effect("credentials in headers and query are sealed where they are kept, and hidden in the log", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { id, path } = yield* inbound([
        script(`console.log(trigger.webhook_headers.authorization); return "got " + trigger.webhook_query.token`)
      ])
      const posted = yield* app.call("POST", `${path}?token=query-${BEARER}`, {
        body: { n: 1 },
        headers: { authorization: `Bearer ${BEARER}` }
      })
      assert.strictEqual(posted.status, 202, posted.text)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
      assert.notInclude(JSON.stringify(run!.logs), BEARER)
      const kept = yield* sql`
        SELECT data::text AS text FROM run_triggers JOIN runs USING (run_id) WHERE automation_id = ${id}
        UNION ALL SELECT request::text FROM webhook_catches WHERE automation_id = ${id}`
      assert.strictEqual(kept.length, 2)
      for (const { text } of kept) {
        assert.include(text as string, "authorization")
        assert.notInclude(text as string, BEARER)
      }
    })
  )

  it.effect(
    "the body is kept where the definition uses it, a large one once; a run with what was last received finds all",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const uses = yield* inbound([
          script(`return trigger.webhook_raw_body.length + trigger.webhook_headers["x-event"]`)
        ])
        const large = JSON.stringify({ text: "x".repeat(20_000) })
        for (const [body, runs] of [
          [RAW, 2],
          [large, 4]
        ] as const) {
          const headers = { "content-type": "application/json", "x-event": "push" }
          yield* app.call("POST", uses.path, { body, headers })
          const manualRun = yield* app.call("POST", `/v1/automation/${uses.id}/manual-run`, {
            token: uses.token,
            body: { use_last_received_webhook_payload: true }
          })
          assert.strictEqual(manualRun.status, 202, manualRun.text)
          yield* runsOver(uses.id, runs)
        }
        const values = yield* sql<{ value: unknown }>`
        SELECT value FROM run_variables JOIN runs USING (run_id) WHERE automation_id = ${uses.id} ORDER BY run_id`
        assert.deepStrictEqual(
          values.map(({ value }) => value),
          [`${RAW.length}push`, `${RAW.length}push`, `${large.length}push`, `${large.length}push`]
        )
        assert.strictEqual((yield* sql`SELECT 1 FROM webhook_payloads WHERE raw_body IS NOT NULL`).length, 1)
        const other = yield* inbound([script("return 1")])
        yield* app.call("POST", other.path, { body: large, headers: { "content-type": "application/json" } })
        yield* runsOver(other.id)
        assert.strictEqual((yield* sql`SELECT 1 FROM webhook_payloads WHERE raw_body IS NOT NULL`).length, 1)
        assert.strictEqual((yield* runsOf(other.id)).length, 1)
      })
  )
})
