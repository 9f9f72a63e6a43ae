// decisions W1, W11, W14: what goes with a hook's POSTs, seen by a receiver through the test of a hook.
import type { ServerResponse } from "node:http"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { hookTypes } from "../../../src/domain/webhooks/Hook.ts"
import { withoutCode } from "../../../src/domain/webhooks/verificationAttempts.ts"
import { AuthenticationProviders } from "../../../src/platform/mail/AuthenticationProviders.ts"
import { App, appLayer } from "../../support/app.ts"
import { openTransactions } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"
import { answers, receiver as startReceiver } from "../../support/receiver.ts"
import { seedApp } from "../automations/support.ts"

class Receiver extends Context.Service<Receiver, Effect.Success<ReturnType<typeof startReceiver>>>()(
  "test/SendingReceiver"
) {}

const world = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    Layer.merge(appLayer({ OUTBOUND_ALLOW: receiver.hostPort }), Layer.succeed(Receiver, receiver))
  )
)

let paths = 0

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { call } = yield* App
  const receiver = yield* Receiver
  const { appId, orgId, token } = yield* seedApp()
  const path = `/sent/${++paths}`
  const api = (method: string, at: string, body?: unknown) =>
    call(method, `/v1${at}`, { token, ...(body === undefined ? {} : { body }) })
  const { json: hook } = yield* api("POST", `/hook/app/${appId}`, {
    type: "record.update",
    url: `${receiver.origin}${path}`
  })
  yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook.hook_id}`
  const { json: key } = yield* api("GET", `/hook/${hook.hook_id}/secret`)
  const putSettings = (settings: object) => api("PUT", `/hook/${hook.hook_id}/settings`, settings)
  const set = Effect.fnUntraced(function* (settings: object) {
    const answer = yield* putSettings(settings)
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.json
  })
  const test = (body: object = {}) => Effect.map(api("POST", `/hook/${hook.hook_id}/test`, body), ({ json }) => json)
  const lastRequest = () => receiver.of(path).at(-1)!
  return {
    api,
    appId,
    hook,
    last: lastRequest,
    orgId,
    owner: token,
    path,
    put: putSettings,
    receiver,
    secret: key.secret,
    set,
    sql,
    test
  }
})

layer(world, { excludeTestServices: true })("what goes with the POSTs of a hook", (it) => {
  describe("POST /v1/hook/{hook_id}/test (W14)", () => {
    it.effect("sends a sample, marked and signed, and tells what the receiver said; nothing is counted", () =>
      Effect.gen(function* () {
        const { api, appId, hook, last, path, receiver, secret, sql, test } = yield* setting
        receiver.on(path, answers.status(503, {}, "come back later"))
        const testResult = yield* test()
        assert.deepInclude(testResult, { status_code: 503, error: "status", response_body: "come back later" })
        assert.isNumber(testResult.latency_ms)
        const { body, headers } = last()
        assert.strictEqual(headers["webhook-test"], "true")
        const none = { hook_id: hook.hook_id, record_id: 0, revision_id: 0, type: "record.update" }
        assert.deepStrictEqual(new Webhook(secret).verify(body, headers as never), none)
        const { json: record } = yield* api("POST", `/record/app/${appId}`, { fields: { state: "Planned" } })
        yield* test()
        assert.deepInclude(JSON.parse(last().body), { record_id: record.record_id, revision_id: 0 })
        yield* test({ type: "app.update" })
        assert.deepStrictEqual(JSON.parse(last().body), { hook_id: hook.hook_id, app_id: appId, type: "app.update" })
        const { json: other } = yield* api("POST", `/hook/app/${appId}`, { type: "hook.failing", url: receiver.origin })
        yield* test({ type: "hook.inactive" })
        const { occurred_on, ...inactive } = JSON.parse(last().body)
        assert.match(occurred_on, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
        assert.deepStrictEqual(inactive, {
          ...{ hook_id: hook.hook_id, app_id: appId, other_hook_id: other.hook_id, failures: 25, reason: "timeout" },
          type: "hook.inactive"
        })
        assert.lengthOf(yield* sql`SELECT 1 FROM webhook_deliveries WHERE hook_id = ${hook.hook_id}`, 0)
        assert.strictEqual((yield* api("GET", `/hook/${hook.hook_id}`)).json.num_failed_executions, 0)
      })
    )

    it.effect("shows the body of each type as a test sends it, with its record where the hook includes that", () =>
      Effect.gen(function* () {
        const { api, appId, hook, last, receiver, set, test } = yield* setting
        const { json: record } = yield* api("POST", `/record/app/${appId}`, { fields: { state: "Planned" } })
        const listSamples = Effect.map(api("GET", `/hook/${hook.hook_id}/sample`), ({ json }) => json.samples)
        const plainSamples: ReadonlyArray<{ type: string; when: string; body: Record<string, unknown> }> =
          yield* listSamples
        assert.deepStrictEqual(
          plainSamples.map(({ type }) => type),
          [...hookTypes]
        )
        for (const { body, type, when } of plainSamples) {
          assert.isNotEmpty(when)
          if ("occurred_on" in body) continue
          yield* test({ type })
          assert.deepStrictEqual(JSON.parse(last().body), body, type)
        }
        yield* set({ include_record: true })
        const [creation] = yield* listSamples
        assert.strictEqual(creation.body.record.record_id, record.record_id)
        const { json: unverified } = yield* api("POST", `/hook/app/${appId}`, {
          type: "record.create",
          url: receiver.origin
        })
        const { status } = yield* api("GET", `/hook/${unverified.hook_id}/sample`)
        assert.strictEqual(status, 200, "nothing is sent")
      })
    )

    it.effect(
      "with an Idempotency-Key no transaction is open while the receiver is awaited; a repeat is told so, then the first answer (1.8)",
      () =>
        Effect.gen(function* () {
          const { call } = yield* App
          const { hook, owner, path, receiver, sql } = yield* setting
          const keyed = call("POST", `/v1/hook/${hook.hook_id}/test`, {
            token: owner,
            headers: { "idempotency-key": "one test" },
            body: {}
          })
          const responses: Array<ServerResponse> = []
          receiver.on(path, (_, response) => void responses.push(response))
          const firstFiber = yield* Effect.forkChild(keyed)
          yield* eventually(
            "the sample",
            Effect.sync(() => responses.length),
            (n) => n === 1
          )
          assert.deepStrictEqual(yield* openTransactions(sql), [])
          assert.strictEqual((yield* keyed).status, 409)
          receiver.on(path, answers.status(204))
          responses[0]!.writeHead(503).end()
          const replies = [yield* Fiber.join(firstFiber), yield* keyed]
          assert.deepStrictEqual(
            replies.map(({ headers, json }) => [json.status_code, headers.get("idempotency-replayed")]),
            [
              [503, null],
              [503, "true"]
            ]
          )
        })
    )

    it.effect("409 before the hook is verified: nothing is sent (service.md 6 rule 1)", () =>
      Effect.gen(function* () {
        const { api, hook, path, receiver, sql } = yield* setting
        yield* sql`UPDATE hooks SET status = 'inactive' WHERE hook_id = ${hook.hook_id}`
        const answer = yield* api("POST", `/hook/${hook.hook_id}/test`, {})
        assert.deepStrictEqual([answer.status, answer.json.error_code], [409, "conflict_error"])
        assert.lengthOf(receiver.of(path), 0)
      })
    )
  })

  describe("headers and authentication (W11)", () => {
    it.effect("custom headers are sent; secret ones are stored encrypted and never read back", () =>
      Effect.gen(function* () {
        const { hook, last, set, sql, test } = yield* setting
        const hookSettings = yield* set({ headers: { "X-Tenant": "north", "X-Key": { secret: "sk-4f9a1c77" } } })
        assert.deepStrictEqual(hookSettings.headers, { "X-Tenant": "north", "X-Key": { set: true } })
        yield* test()
        assert.deepInclude(last().headers, { "x-tenant": "north", "x-key": "sk-4f9a1c77" })
        const [row] = yield* sql`SELECT row_to_json(h)::text AS text FROM hooks h WHERE hook_id = ${hook.hook_id}`
        assert.notInclude(row!["text"], "sk-4f9a1c77")
        // What was read can be written again.
        yield* set({ headers: { ...hookSettings.headers, "X-Tenant": "south" } })
        yield* test()
        assert.deepInclude(last().headers, { "x-tenant": "south", "x-key": "sk-4f9a1c77" })
        assert.deepStrictEqual((yield* set({ headers: {} })).headers, {})
        const [after] = yield* sql`SELECT sending, sealed FROM hooks WHERE hook_id = ${hook.hook_id}`
        assert.deepStrictEqual(after, { sending: null, sealed: null })
      })
    )

    it.effect("Basic and bearer", () =>
      Effect.gen(function* () {
        const { last, set, test } = yield* setting
        const basic = yield* set({ authentication: { type: "basic", username: "berth", password: "s3cret" } })
        assert.deepStrictEqual(basic.authentication, { type: "basic", username: "berth", password: { set: true } })
        yield* test()
        assert.strictEqual(last().headers.authorization, `Basic ${Buffer.from("berth:s3cret").toString("base64")}`)
        yield* set({ authentication: { ...basic.authentication, username: "pier" } })
        yield* test()
        assert.strictEqual(last().headers.authorization, `Basic ${Buffer.from("pier:s3cret").toString("base64")}`)
        yield* set({ authentication: { type: "bearer", token: "tok-1" } })
        yield* test()
        assert.strictEqual(last().headers.authorization, "Bearer tok-1")
        assert.isNull((yield* set({ authentication: null })).authentication)
        yield* test()
        assert.isUndefined(last().headers.authorization)
      })
    )

    it.effect("OAuth 2.0 through a provider of the organization, renewed once on a 401", () =>
      Effect.gen(function* () {
        const { orgId, path, receiver, set, test } = yield* setting
        let issued = 0
        receiver.on(`${path}/token`, (_request, response) =>
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ access_token: `t${++issued}`, expires_in: 3600 }))
        )
        receiver.on(path, ({ headers }, response) =>
          response.writeHead(headers.authorization === "Bearer t2" ? 204 : 401).end()
        )
        const { authentication_provider_id } = yield* AuthenticationProviders.use((providers) =>
          providers.create(orgId, {
            name: "yard",
            grant_type: "client_credentials",
            token_url: `${receiver.origin}${path}/token`,
            client_id: "id",
            client_secret: Redacted.make("word"),
            allowed: "all"
          })
        )
        yield* set({ authentication: { type: "oauth2", authentication_provider_id } })
        assert.strictEqual((yield* test()).status_code, 204)
        assert.deepStrictEqual(
          receiver.of(path).map(({ headers }) => headers.authorization),
          ["Bearer t1", "Bearer t2"]
        )
        receiver.on(path, answers.status(401))
        assert.strictEqual((yield* test()).status_code, 401)
        assert.lengthOf(receiver.of(path), 4)
        receiver.on(`${path}/token`, answers.status(500))
        const testResult = yield* test()
        assert.deepStrictEqual([testResult.status_code, testResult.error], [null, "authentication_failed"])
      })
    )

    it.effect("what cannot be is a 400 with its place, and changes nothing", () =>
      Effect.gen(function* () {
        const { api, hook, put } = yield* setting
        const { json: before } = yield* api("GET", `/hook/${hook.hook_id}/settings`)
        const ours = ["webhook-signature", "Webhook-Id", "Host", "Content-Type", "content-length", "Connection"]
        for (const name of [...ours, "Transfer-Encoding", "Proxy-Authorization", "TE", "Upgrade"]) {
          const answer = yield* put({ headers: { [name]: "x" } })
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, "validation"], name)
          assert.include(answer.json.error_message, `headers[${JSON.stringify(name)}]: cannot be set`)
        }
        for (const [settings, told] of [
          [{ headers: { "X Key": "x" } }, "is no name of a header"],
          [{ headers: { "X-Key": "a\r\nb: c" } }, "visible ASCII"],
          [{ headers: { "X-Key": "1", "x-key": "2" } }, "x-key stands twice"],
          [{ headers: { "X-Key": { set: true } } }, "no value that could be kept"],
          [{ authentication: { type: "bearer", token: { set: true } } }, "authentication.token"],
          [{ authentication: { type: "bearer", token: "a\nb" } }, "authentication.token"],
          [{ authentication: { type: "basic", username: "a:b", password: "x" } }, "authentication.username"],
          [{ authentication: { type: "oauth2", authentication_provider_id: 999_999 } }, "no provider 999999"],
          [{ authentication: { type: "certificate", certificate: "x", key: "y" } }, "must be PEM"],
          [{ headers: { Authorization: "x" }, authentication: { type: "bearer", token: "t" } }, "leave one of them out"]
        ] as const) {
          const answer = yield* put(settings)
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, "validation"], JSON.stringify(settings))
          assert.include(answer.json.error_message, told)
        }
        for (const settings of [
          { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, "x"])) },
          { timeout_millis: 5001 },
          { timeout_millis: 0 },
          { per_minute: 0 },
          { at_once: 0 },
          { retry_seconds: [0] },
          { retry_seconds: Array.from({ length: 21 }, () => 1) }
        ]) {
          const answer = yield* put(settings)
          assert.deepStrictEqual(
            [answer.status, answer.json.error_code],
            [400, "input_validation"],
            JSON.stringify(settings)
          )
        }
        assert.deepStrictEqual((yield* api("GET", `/hook/${hook.hook_id}/settings`)).json, before)
      })
    )

    it.effect("a hook has its own time-out", () =>
      Effect.gen(function* () {
        const { path, receiver, set, test } = yield* setting
        receiver.on(path, answers.delayed(1_500, answers.status(204)))
        yield* set({ timeout_millis: 300 })
        assert.deepInclude(yield* test(), { status_code: null, error: "timeout" })
      })
    )
  })

  describe("GET /v1/hook/{hook_id}/verification (W14)", () => {
    it.effect("shows the attempts that were kept, the newest first", () =>
      Effect.gen(function* () {
        const { api, hook, sql } = yield* setting
        yield* sql`
          INSERT INTO hook_verifications (hook_id, attempted_on, status_code, latency_ms, error, response_body) VALUES
            (${hook.hook_id}, '2026-03-01T10:00:00Z', NULL, 3, 'connection_refused', NULL),
            (${hook.hook_id}, '2026-03-01T10:00:05Z', 404, 4, 'status', 'no such path')`
        const { json } = yield* api("GET", `/hook/${hook.hook_id}/verification`)
        assert.deepStrictEqual(json.attempts, [
          {
            attempted_on: "2026-03-01 10:00:05",
            status_code: 404,
            latency_ms: 4,
            error: "status",
            response_body: "no such path"
          },
          {
            attempted_on: "2026-03-01 10:00:00",
            status_code: null,
            latency_ms: 3,
            error: "connection_refused",
            response_body: null
          }
        ])
      })
    )

    it.effect("never the code, whichever way an answer echoes it", () =>
      Effect.sync(() => {
        const code = "Zm9vYmFyLWJhei1xdXV4LQ"
        const echoes = [0, 1, 2, 3].map((shift) => Buffer.from(`${"x".repeat(shift)}{"code":"${code}"}`))
        const answers = [
          ...echoes.map(String),
          ...echoes.map((one) => one.toString("base64")),
          ...echoes.map((one) => one.toString("base64url")),
          ...echoes.map((one) => one.toString("hex"))
        ]
        for (const body of answers) {
          const visibleBody = withoutCode({ ok: false, body }, code)!
          assert.include(visibleBody, "…")
          for (const form of ["utf8", "base64", "base64url", "hex"] as const)
            assert.notInclude(Buffer.from(visibleBody, form === "utf8" ? "utf8" : form).toString(), code, body)
        }
        assert.isNull(withoutCode({ ok: true, body: code }, code))
      })
    )
  })
})
