// developer-api.md 1.5: which check answers when several would, every error code, and the headers of every answer (1.1, 1.5, 1.6).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, type Reply, seedOrganization, seedToken, seedUser } from "../../support/app.ts"
import { connect, registerClient } from "../../support/oauth.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

const codeOf = ({ status, json }: Reply) => `${status} ${json?.error_code}`

/** A workspace with an app and a record, one that a member does not see, and tokens of its owner. */
const setting = Effect.gen(function* () {
  const app = yield* App
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const member = yield* seedUser(orgId, "member")
  const { app_id: appId } = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
  const privateWorkspace = yield* app.call("POST", "/v1/workspace", {
    token: owner.key,
    body: { name: "Own", type: "private" }
  })
  const { app_id: hiddenApp } = yield* createApp(owner, privateWorkspace.json.workspace_id, [
    field("single_text", "Reference")
  ])
  const record = yield* app.call("POST", `/v1/record/app/${appId}`, { token: owner.key, body: { fields: {} } })
  return { app, orgId, owner, member, workspaceId, appId, hiddenApp, recordId: record.json.record_id as number }
})

layer(appLayer(), { excludeTestServices: true })("developer-api.md 1.5: order of checks", (it) => {
  it.effect("credential, scope, selection, visibility, permission, input, state: the earlier one answers", () =>
    Effect.gen(function* () {
      const { app, owner, member, workspaceId, appId, hiddenApp, recordId } = yield* setting
      const narrow = yield* seedToken(owner.userId, ["apps:edit"], { appIds: [appId] })
      const reading = yield* seedToken(owner.userId, ["records:read"])
      const hook = yield* app.call("POST", `/v1/hook/app/${appId}`, {
        token: owner.key,
        body: { type: "record.create", url: "https://93.184.216.34/in" }
      })
      const replay = `/v1/hook/${hook.json.hook_id}/replay`
      const broken = "{"
      for (const [what, token, method, path, body, expected] of [
        ["401 before a bad path", "svc_pat_no", "PUT", "/v1/app/abc", broken, "401 dev_api_invalid_access_token"],
        ["401 before an unknown path", undefined, "GET", "/v1/nothing", undefined, "401 dev_api_authentication"],
        ["scope before selection and input", narrow, "PUT", `/v1/record/${recordId}`, broken, "403 forbidden"],
        ["scope before an unknown id", reading, "PUT", "/v1/app/99999999", broken, "403 forbidden"],
        ["scope before a bad path id", reading, "PUT", "/v1/app/abc", broken, "403 forbidden"],
        ["selection before input", narrow, "PUT", `/v1/app/${hiddenApp}`, broken, "404 not_found"],
        ["visibility before input", member.key, "PUT", `/v1/app/${hiddenApp}`, broken, "404 not_found"],
        ["permission before input", member.key, "PUT", `/v1/app/${appId}`, broken, "403 restricted_resource"],
        ["permission before input", member.key, "POST", `/v1/hook/app/${appId}`, {}, "403 restricted_resource"],
        [
          "permission on an id of the body before the rules for the rest",
          member.key,
          "POST",
          "/v1/app",
          { workspace_id: workspaceId, name: "A", fields: [field("status", "State")] },
          "403 restricted_resource"
        ],
        ["input before state", owner.key, "POST", replay, { since: 1 }, "400 input_validation"],
        ["input before state", owner.key, "POST", replay, { since: "then" }, "400 validation"],
        ["state last", owner.key, "POST", replay, { since: "2026-01-01 00:00" }, "409 conflict_error"]
      ] as const) {
        const reply = yield* app.call(method, path, {
          ...(token === undefined ? {} : { token }),
          ...(body === undefined ? {} : { body })
        })
        assert.strictEqual(codeOf(reply), expected, `${what}: ${method} ${path}: ${reply.text}`)
      }
    })
  )

  it.effect("every error code of the table is answered with its status", () =>
    Effect.gen(function* () {
      const { app, owner, member, appId, recordId } = yield* setting
      const deletedRecord = yield* app.call("POST", `/v1/record/app/${appId}`, {
        token: owner.key,
        body: { fields: {} }
      })
      yield* app.call("DELETE", `/v1/record/${deletedRecord.json.record_id}`, { token: owner.key })
      const hook = yield* app.call("POST", `/v1/hook/app/${appId}`, {
        token: owner.key,
        body: { type: "record.create", url: "https://93.184.216.34/in" }
      })
      const hookPath = `/v1/hook/${hook.json.hook_id}`
      const read = yield* seedToken(owner.userId, ["records:read"])
      const as = (token: string | undefined) => (method: string, path: string, body?: unknown) =>
        app.call(method, path, { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) })
      const asOwner = as(owner.key)
      const replies = yield* Effect.all([
        asOwner("POST", "/v1/workspace", "{"),
        asOwner("GET", "/v1/record/1.5"),
        asOwner("PATCH", `/v1/record/${recordId}`, {}),
        asOwner("POST", "/v1/workspace", { name: "A" }),
        asOwner("PUT", `/v1/record/${recordId}`, { fields: { colour: 1 } }),
        asOwner("GET", `/v1/record/${deletedRecord.json.record_id}`),
        asOwner("POST", `${hookPath}/verify/validate`, { code: "wrong" }),
        as(undefined)("GET", "/v1/user"),
        as("user_key_no")("GET", "/v1/user"),
        as(read)("GET", "/v1/org"),
        as(member.key)("DELETE", hookPath),
        asOwner("GET", "/v1/app/99999999"),
        asOwner("GET", "/v1/record/99999999"),
        asOwner("POST", `${hookPath}/replay`, { since: "2026-01-01 00:00" })
      ])
      assert.deepStrictEqual(replies.map(codeOf), [
        "400 invalid_json",
        "400 invalid_request_url",
        "400 invalid_request",
        "400 input_validation",
        "400 validation",
        "400 record_deleted",
        "400 hook_verification_code_invalid",
        "401 dev_api_authentication",
        "401 dev_api_invalid_access_token",
        "403 forbidden",
        "403 restricted_resource",
        "404 not_found",
        "404 record_not_exists",
        "409 conflict_error"
      ])
      const members = ["status_code", "endpoint", "error_code", "error_message"]
      for (const { json } of replies) assert.deepStrictEqual(Object.keys(json), members)
    })
  )

  it.effect("1.1, 1.5, 1.6: request id and CORS on every answer, the budget on all but 401", () =>
    Effect.gen(function* () {
      const { app, owner, member, appId, recordId } = yield* setting
      const budget = ["x-ratelimit-limit", "x-retry-remaining", "x-retry-cost", "x-retry-reset", "retry-after"]
      const origin = { origin: "https://browser.example" }
      for (const [status, method, path, token, body] of [
        [200, "GET", "/v1/user", owner.key, undefined],
        [200, "GET", `/v1/record/${recordId}`, owner.key, undefined],
        [400, "POST", "/v1/workspace", owner.key, "{"],
        [400, "PATCH", `/v1/app/${appId}`, owner.key, {}],
        [403, "PUT", `/v1/app/${appId}`, member.key, {}],
        [404, "GET", "/v1/nothing", owner.key, undefined],
        [404, "GET", "/v1/record/99999999", owner.key, undefined],
        [401, "GET", "/v1/user", "svc_oat_no", undefined]
      ] as const) {
        const reply = yield* app.call(method, path, { token, headers: origin, ...(body === undefined ? {} : { body }) })
        assert.strictEqual(reply.status, status, reply.text)
        assert.match(reply.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
        for (const name of budget) assert.strictEqual(reply.headers.has(name), status !== 401, `${path} ${name}`)
        assert.include(["*", origin.origin], reply.headers.get("access-control-allow-origin"))
        assert.isNull(reply.headers.get("access-control-allow-credentials"))
        assert.isNull(reply.headers.get("set-cookie"))
        const exposed = (reply.headers.get("access-control-expose-headers") ?? "").toLowerCase().split(/,\s*/)
        for (const name of [...budget, "www-authenticate", "x-request-id", "idempotency-replayed", "mcp-session-id"]) {
          assert.include(exposed, name)
        }
      }
    })
  )

  it.effect("1.1, O11: a preflight of the Developer API needs no credential and allows the documented headers", () =>
    Effect.gen(function* () {
      const app = yield* App
      const preflight = yield* app.call("OPTIONS", "/v1/record/1", {
        headers: {
          origin: "https://browser.example",
          "access-control-request-method": "PUT",
          "access-control-request-headers": "authorization"
        }
      })
      assert.strictEqual(preflight.status, 204)
      const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").toLowerCase().split(/,\s*/)
      assert.includeMembers(allowed, [
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "mcp-protocol-version",
        "mcp-session-id",
        "last-event-id"
      ])
      const methods = preflight.headers.get("access-control-allow-methods") ?? ""
      for (const method of ["GET", "POST", "PUT", "DELETE"]) assert.include(methods, method)
      for (const path of [
        "/oauth/consent/x",
        "/sign-in",
        "/account/connections",
        "/organization/apps",
        "/oauth/introspect"
      ]) {
        const reply = yield* app.call("GET", path, { headers: { origin: "https://browser.example" } })
        assert.isNull(reply.headers.get("access-control-allow-origin"), path)
      }
    })
  )

  it.effect("10: endpoints left out answer 404 not_found and are absent from the description; their scopes exist", () =>
    Effect.gen(function* () {
      const { app, owner, member, recordId } = yield* setting
      const { json: spec } = yield* app.call("GET", "/openapi.json")
      for (const [method, path, described] of [
        ["POST", `/v1/org/user/${member.userId}/resend-invitation`, "/v1/org/user/{user_id}/resend-invitation"],
        ["POST", "/v1/org/invitation/resend-pending", "/v1/org/invitation/resend-pending"],
        ["PUT", "/v1/record/permission/batch", "/v1/record/permission/batch"],
        ["POST", "/v1/email/send", "/v1/email/send"],
        ["GET", "/v1/automation-usage-report?limit=1&interval_resolution=hourly", "/v1/automation-usage-report"],
        ["GET", `/v1/record/${recordId}/follow`, "/v1/record/{record_id}/follow"],
        ["GET", "/v1/link/preview", "/v1/link/preview"]
      ] as const) {
        const reply = yield* app.call(method, path, { token: owner.key, ...(method === "GET" ? {} : { body: {} }) })
        assert.strictEqual(codeOf(reply), "404 not_found", `${method} ${path}: ${reply.text}`)
        assert.isUndefined(spec.paths[described]?.[method.toLowerCase()], described)
      }
      const me = yield* app.call("GET", "/v1/user", { token: owner.key })
      assert.includeMembers(me.json.scopes, ["email:send", "records:share", "organization.members:manage"])
    })
  )

  it.effect("1.7: ids in a body are checked against a token's selection", () =>
    Effect.gen(function* () {
      const { app, owner, workspaceId, appId, hiddenApp, recordId } = yield* setting
      const token = yield* seedToken(owner.userId, ["apps:edit", "records:edit", "records:read", "automations:run"], {
        appIds: [hiddenApp]
      })
      const automation = yield* app.call("POST", `/v1/automation/app/${appId}`, {
        token: owner.key,
        body: { name: "Click", trigger: { type: "weblink_clicked", config: {} } }
      })
      const trigger_workflow_def_id = automation.json.automation.id
      for (const [path, body] of [
        ["/v1/app", { workspace_id: workspaceId, name: "A" }],
        ["/v1/automation/weblink/generate", { trigger_workflow_def_id, trigger_on_record_id: recordId }]
      ] as const) {
        const outside = yield* app.call("POST", path, { token, body })
        const unknown = yield* app.call("POST", path, {
          token,
          body: Object.fromEntries(
            Object.entries(body).map(([key, id]) => [key, typeof id === "number" ? 99999999 : id])
          )
        })
        assert.strictEqual(codeOf(outside), codeOf(unknown), `${outside.text} ${unknown.text}`)
        assert.include([400, 404], outside.status)
      }
      const batch = yield* app.call("PUT", `/v1/record/app/batch/${hiddenApp}`, {
        token,
        body: { inputs: [{ record_id: recordId, fields: {} }] }
      })
      assert.include([400, 404], batch.status, batch.text)
      assert.notInclude(batch.text, "Deliveries")
    })
  )
})

layer(appLayer({ RATE_BUDGET: "40" }), { excludeTestServices: true })("service.md 5.3: one budget", (it) => {
  it.effect(
    "5.3: OAuth tokens, personal access tokens and the API key of a user draw from one budget, others have theirs",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { orgId, owner } = yield* seedOrganization()
        const other = yield* seedUser(orgId, "member")
        const { access_token } = yield* connect(owner, yield* registerClient())
        const pat = yield* seedToken(owner.userId, ["apps:read"])
        const remaining: Array<string | null> = []
        for (const token of [access_token, pat, owner.key, access_token]) {
          remaining.push((yield* app.call("GET", "/v1/user", { token })).headers.get("x-retry-remaining"))
        }
        assert.deepStrictEqual(remaining, ["30", "20", "10", "0"])
        for (const token of [access_token, pat, owner.key]) {
          assert.strictEqual((yield* app.call("GET", "/v1/user", { token })).status, 429)
        }
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token: other.key })).status, 200)
      })
  )

  it.effect("1.5: 401 before 429, 429 before 403; a request refused for its scope costs credits", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const token = yield* seedToken(owner.userId, ["apps:read"])
      for (let i = 0; i < 4; i++) {
        const refusal = yield* app.call("GET", "/v1/org", { token })
        assert.strictEqual(codeOf(refusal), "403 forbidden")
        assert.strictEqual(refusal.headers.get("x-retry-remaining"), String(30 - 10 * i))
      }
      assert.strictEqual(codeOf(yield* app.call("GET", "/v1/org", { token })), "429 too_many_requests")
      const invalid = yield* app.call("GET", "/v1/org", { token: `${token}x` })
      assert.strictEqual(codeOf(invalid), "401 dev_api_invalid_access_token")
    })
  )

  it.effect("1.6: a window refills at its end; dear endpoints cost their multiple", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const list = yield* app.call("GET", "/v1/automation/org", { token: owner.key })
      assert.strictEqual(list.headers.get("x-retry-cost"), "20")
      const missingApp = yield* app.call("DELETE", "/v1/app/99999999", { token: owner.key })
      assert.strictEqual(codeOf(missingApp), "429 too_many_requests")
      assert.strictEqual(missingApp.json.rate_limit_cost, 50)
      assert.strictEqual(missingApp.json.rate_limit_remaining, 20)
      assert.isAtMost(missingApp.json.retry_after, 60)
    })
  )
})
