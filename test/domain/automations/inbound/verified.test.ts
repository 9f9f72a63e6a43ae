// Verified inbound addresses over HTTP (developer-api.md 7.9; decisions A26): no run, no trace of a request whose sender is another one.
import { createHmac } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seriesOf } from "../../../../src/platform/metrics/instruments.ts"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { runsOf, runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const KEY = "sender-key-7f3a91"
const succeed = [{ type: "exit", config: { exit_type: "success" } }]

const make = Effect.fnUntraced(function* (verification: object, active = true, allowed: unknown = "all") {
  const app = yield* App
  const { appId, token } = yield* seedApp()
  const secret = yield* app.call("POST", "/v1/secret/org", { token, body: { name: "sender_key", value: KEY, allowed } })
  assert.strictEqual(secret.status, 200, secret.text)
  const config = { verification: { secret: "sender_key", ...verification } }
  const body = { name: "Verified", trigger: { type: "webhook_received", config }, actions: succeed }
  const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
  assert.strictEqual(creation.status, 201, creation.text)
  const id = creation.json.automation.id as number
  assert.deepStrictEqual(creation.json.automation.trigger.config.verification, config.verification)
  if (active) {
    const activated = yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
    assert.strictEqual(activated.status, 200, activated.text)
  }
  const path = new URL(creation.json.automation.trigger.config.webhook_url).pathname
  return { appId, id, path, secretId: secret.json.secret_id as number, token }
})

const hub = (text: string, key = KEY) => ({
  "content-type": "application/json",
  "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(text).digest("hex")}`
})

const refusalsOf = (type: string) =>
  [...seriesOf("millrace.inbound.refusals")].filter(({ labels }) => labels["type"] === type).length

layer(spineLayer(), { excludeTestServices: true })("verified inbound addresses (7.9)", (it) => {
  it.effect(
    "a signed body makes a run; a wrong, missing or moved signature is a 401 that keeps nothing, and is counted",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { id, path } = yield* make({ type: "github" })
        const text = '{ "action": "opened" }'
        const wrong = [hub(text, "another key"), hub(`${text} `), { "content-type": "application/json" }]
        for (const headers of wrong) {
          const refusal = yield* app.call("POST", path, { body: text, headers })
          assert.deepStrictEqual(
            [refusal.status, refusal.json.error_code],
            [401, "dev_api_authentication"],
            refusal.text
          )
          assert.notInclude(refusal.text, KEY)
        }
        assert.strictEqual((yield* app.call("GET", `${path}?action=opened`, { headers: hub("") })).status, 401)
        const form = new FormData()
        form.set("action", "opened")
        const boundary = { "content-type": "multipart/form-data; boundary=x" }
        assert.strictEqual(
          (yield* app.call("POST", path, { body: "--x--\r\n", headers: { ...hub("--x--\r\n"), ...boundary } })).status,
          400
        )
        assert.strictEqual((yield* sql`SELECT 1 FROM webhook_catches WHERE automation_id = ${id}`).length, 0)
        assert.strictEqual((yield* runsOf(id)).length, 0)
        assert.strictEqual(refusalsOf("github"), 2)
        const accepted = yield* app.call("POST", path, { body: text, headers: hub(text) })
        assert.strictEqual(accepted.status, 202, accepted.text)
        assert.strictEqual((yield* runsOver(id)).length, 1)
      })
  )

  it.effect("its owner sees how many were refused since the last week without any; none is no member", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { id, path, token } = yield* make({ type: "bearer" })
      const read = Effect.map(app.call("GET", `/v1/automation/${id}`, { token }), ({ json }) => json.automation)
      assert.notProperty(yield* read, "refused_senders")
      const refuse = app.call("POST", path, { body: {}, headers: { authorization: "Bearer wrong" } })
      yield* Effect.all([refuse, refuse, refuse], { concurrency: "unbounded" })
      yield* app.call("POST", path, { body: {}, headers: { authorization: `Bearer ${KEY}` } })
      const { count, first_at, last_at } = (yield* read).refused_senders
      assert.strictEqual(count, 3)
      for (const at of [first_at, last_at]) assert.match(at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      const moved = (days: number) => sql`
        UPDATE catch_windows SET refused_since = refused_since - interval '30 days',
          refused_on = refused_on - make_interval(days => ${days}::int) WHERE automation_id = ${id}`
      yield* moved(6)
      yield* refuse
      assert.strictEqual((yield* read).refused_senders.count, 4)
      yield* moved(8)
      assert.notProperty(yield* read, "refused_senders")
      yield* refuse
      assert.strictEqual((yield* read).refused_senders.count, 1)
      assert.strictEqual(
        (yield* app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: { type: "periodic" } })).status,
        200
      )
      assert.notProperty(yield* read, "refused_senders")
    })
  )

  it.effect("Basic and a bearer token are asked for before the body is read", () =>
    Effect.gen(function* () {
      const app = yield* App
      const basic = yield* make({ type: "basic", username: "sender" })
      const bearer = yield* make({ type: "bearer" })
      const post = (path: string, authorization?: string) =>
        app.call("POST", path, { body: { n: 1 }, headers: authorization === undefined ? {} : { authorization } })
      const pair = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
      for (const wrongAuthorization of [undefined, pair(`sender:${KEY}x`), pair(`other:${KEY}`), `Bearer ${KEY}`]) {
        const refusal = yield* post(basic.path, wrongAuthorization)
        assert.strictEqual(refusal.status, 401)
        assert.strictEqual(refusal.headers.get("www-authenticate"), 'Basic realm="webhook"')
      }
      for (const authorization of [undefined, "Bearer", `Bearer ${KEY}x`, pair(KEY)])
        assert.strictEqual((yield* post(bearer.path, authorization)).status, 401)
      assert.strictEqual((yield* post(basic.path, pair(`sender:${KEY}`))).status, 202)
      assert.strictEqual((yield* post(bearer.path, `bearer ${KEY}`)).status, 202)
      assert.strictEqual((yield* runsOver(basic.id)).length, 1)
      assert.strictEqual((yield* runsOver(bearer.id)).length, 1)
    })
  )

  it.effect("challenges of Slack, Zoom and Meta are answered, of a draft too, and make no run", () =>
    Effect.gen(function* () {
      const app = yield* App
      const nowSeconds = String(Math.floor(Date.now() / 1_000))
      const signed = (name: string, time: string, text: string) => ({
        ...{ "content-type": "application/json", [time]: nowSeconds },
        [name]: `v0=${createHmac("sha256", KEY).update(`v0:${nowSeconds}:${text}`).digest("hex")}`
      })
      const slack = yield* make({ type: "slack" }, false)
      const challengeBody = JSON.stringify({
        type: "url_verification",
        challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"
      })
      const headers = signed("x-slack-signature", "x-slack-request-timestamp", challengeBody)
      const slackAnswer = yield* app.call("POST", slack.path, { body: challengeBody, headers })
      assert.deepStrictEqual(slackAnswer.json, { challenge: JSON.parse(challengeBody).challenge })
      assert.strictEqual((yield* app.call("POST", slack.path, { body: challengeBody })).status, 401)
      const zoom = yield* make({ type: "zoom" })
      const plainBody = JSON.stringify({
        event: "endpoint.url_validation",
        payload: { plainToken: "qgg8vlvZRS6UYooatFL8Aw" }
      })
      const zoomAnswer = yield* app.call("POST", zoom.path, {
        body: plainBody,
        headers: signed("x-zm-signature", "x-zm-request-timestamp", plainBody)
      })
      assert.deepStrictEqual(zoomAnswer.json, {
        plainToken: "qgg8vlvZRS6UYooatFL8Aw",
        encryptedToken: createHmac("sha256", KEY).update("qgg8vlvZRS6UYooatFL8Aw").digest("hex")
      })
      const meta = yield* make({ type: "meta", token_secret: "sender_key" })
      const query = (token: string) =>
        `${meta.path}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`
      const metaAnswer = yield* app.call("GET", query(KEY))
      assert.deepStrictEqual([metaAnswer.status, metaAnswer.text], [200, "1158201444"])
      assert.strictEqual((yield* app.call("GET", query("other"))).status, 401)
      for (const { id } of [slack, zoom, meta]) assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect("the secret's use is checked when the definition is saved, and again at each request (A26)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, id, path, secretId, token } = yield* make({ type: "github" })
      const missing = yield* app.call("PUT", `/v1/automation/${id}/trigger`, {
        token,
        body: { type: "webhook_received", config: { verification: { type: "github", secret: "no_such" } } }
      })
      assert.strictEqual(missing.status, 200, missing.text)
      const validity = yield* app.call("GET", `/v1/automation/${id}/validate`, { token })
      assert.deepStrictEqual(
        validity.json.errors.map((one: any) => one.code),
        ["trigger_secret_missing"]
      )
      assert.strictEqual((yield* app.call("POST", path, { body: "{}", headers: hub("{}") })).status, 503)
      yield* app.call("PUT", `/v1/automation/${id}/trigger`, {
        token,
        body: { type: "webhook_received", config: { verification: { type: "github", secret: "sender_key" } } }
      })
      assert.strictEqual((yield* app.call("POST", path, { body: "{}", headers: hub("{}") })).status, 202)
      const withdrawn = yield* app.call("PUT", `/v1/secret/${secretId}`, {
        token,
        body: { allowed: { workspace_ids: [] } }
      })
      assert.strictEqual(withdrawn.status, 200, withdrawn.text)
      const unverifiable = yield* app.call("POST", path, { body: "{}", headers: hub("{}") })
      assert.deepStrictEqual([unverifiable.status, unverifiable.headers.get("retry-after")], [503, "60"])
      const validityAfter = yield* app.call("GET", `/v1/automation/${id}/validate`, { token })
      assert.deepStrictEqual(
        validityAfter.json.errors.map((one: any) => one.code),
        ["trigger_secret_not_allowed"]
      )
      for (const [verification, message] of [
        [{ type: "hmac", secret: "sender_key" }, "`header` is needed for `hmac`"],
        [{ type: "github", secret: "sender_key", username: "a" }, "`username` means nothing for `github`"]
      ] as const) {
        const body = { name: "Odd", trigger: { type: "webhook_received", config: { verification } }, actions: succeed }
        const odd = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
        assert.strictEqual(odd.status, 400)
        assert.include(odd.text, message)
        assert.include(odd.text, "trigger.config.verification")
      }
    })
  )
})
