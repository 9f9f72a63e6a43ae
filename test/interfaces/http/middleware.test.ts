// developer-api.md 1.1, 1.2, 1.5 to 1.8 and service.md 7.2: the middleware of the Developer API, byte for byte.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedToken, seedUser } from "../../support/app.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 1: the middleware", (it) => {
  it.effect("1.5: no credential is 401 dev_api_authentication with a challenge that has no error", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { status, json, headers } = yield* app.call("GET", "/v1/user")
      assert.strictEqual(status, 401)
      assert.deepStrictEqual(Object.keys(json), ["status_code", "endpoint", "error_code", "error_message"])
      assert.strictEqual(json.error_code, "dev_api_authentication")
      assert.strictEqual(json.endpoint, "/v1/user")
      assert.strictEqual(
        headers.get("www-authenticate"),
        'Bearer resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource/v1"'
      )
      assert.isNotNull(headers.get("x-request-id"))
    })
  )

  it.effect("1.5: every unusable credential gets the same 401 dev_api_invalid_access_token", () =>
    Effect.gen(function* () {
      const app = yield* App
      for (const authorization of [
        "Bearer svc_oat_x",
        "Bearer user_key_x",
        "Bearer nonsense",
        "Bearer",
        "Digest x",
        "Basic !!",
        `Basic ${btoa("user_key_x:pw")}`
      ]) {
        const { status, json, headers } = yield* app.call("GET", "/v1/org", { headers: { authorization } })
        assert.strictEqual(status, 401, authorization)
        assert.strictEqual(json.error_code, "dev_api_invalid_access_token")
        assert.match(headers.get("www-authenticate") ?? "", /^Bearer resource_metadata="[^"]+", error="invalid_token"/)
      }
    })
  )

  it.effect("1.7: an API key works as Bearer and as Basic with an empty password; GET /user takes Bearer only", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const basic = { headers: { authorization: `Basic ${btoa(`${owner.key}:`)}` } }
      assert.strictEqual((yield* app.call("GET", "/v1/org", { token: owner.key })).status, 200)
      assert.strictEqual((yield* app.call("GET", "/v1/org", basic)).status, 200)
      assert.strictEqual((yield* app.call("GET", "/v1/user", basic)).status, 401)
      const me = yield* app.call("GET", "/v1/user", { token: owner.key })
      assert.strictEqual(me.json.user_id, owner.userId)
      assert.strictEqual(me.json.credential.type, "user_api_key")
      assert.strictEqual(me.json.scopes.length, 19)
    })
  )

  it.effect("1.1, RFC 9110 9.3.2: HEAD is answered like GET, without the body", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const token = owner.key
      for (const [path, credential, status] of [
        ["/v1/user", { token }, 200],
        ["/v1/workspace/org", { token }, 200],
        ["/v1/user", {}, 401],
        ["/v1/workspace/999999", { token }, 404],
        ["/v1/nothing", { token }, 404],
        // Served to POST alone.
        ["/v1/workspace", { token }, 400]
      ] as const) {
        const head = yield* app.call("HEAD", path, credential)
        assert.deepStrictEqual([head.status, head.text], [status, ""], path)
        const get = yield* app.call("GET", path, credential)
        assert.strictEqual(get.status, status, path)
        assert.strictEqual(head.headers.get("content-type"), get.headers.get("content-type"), path)
        assert.strictEqual(head.headers.has("x-ratelimit-limit"), status !== 401, path)
      }
    })
  )

  it.effect(
    "1.5, 2.4: a missing scope is 403 with the step-up challenge, and is refused before the input is read",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const token = yield* seedToken(owner.userId, ["records:read"])
        const { status, json, headers } = yield* app.call("POST", "/v1/workspace", { token, body: "{" })
        assert.strictEqual(status, 403)
        assert.strictEqual(json.error_code, "forbidden")
        assert.match(
          headers.get("www-authenticate") ?? "",
          /error="insufficient_scope".*scope="workspaces:edit", resource_metadata=/
        )
        assert.strictEqual(headers.get("x-retry-cost"), "10")
      })
  )

  it.effect("1.5: JSON syntax, shape, stray keys, path ids, methods and unknown paths are told apart", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const token = owner.key
      const cases = [
        ["POST", "/v1/workspace", "{", 400, "invalid_json"],
        ["POST", "/v1/workspace", { name: "A", type: "closed", colour: 1 }, 400, "input_validation"],
        ["POST", "/v1/workspace", { name: 3, type: "closed" }, 400, "input_validation"],
        ["GET", "/v1/workspace/abc", undefined, 400, "invalid_request_url"],
        ["GET", "/v1/workspace/%zz", undefined, 400, "invalid_request_url"],
        ["GET", `/v1/workspace/${"9".repeat(300)}`, undefined, 400, "invalid_request_url"],
        ["GET", "/v1/workspace/999999", undefined, 404, "not_found"],
        ["GET", "/v1/workspace/99999999999999999999", undefined, 404, "not_found"],
        ["GET", "/v1/record/99999999999999999999", undefined, 404, "record_not_exists"],
        ["POST", "/v1/workspace", '{"name":"a\\u0000b","type":"closed"}', 400, "input_validation"],
        ["PATCH", "/v1/workspace/1", {}, 400, "invalid_request"],
        ["GET", "/v1/nothing", undefined, 404, "not_found"]
      ] as const
      for (const [method, path, body, status, code] of cases) {
        const reply = yield* app.call(method, path, body === undefined ? { token } : { token, body })
        assert.strictEqual(reply.status, status, `${method} ${path}: ${reply.text}`)
        assert.strictEqual(reply.json.error_code, code)
        assert.strictEqual(reply.json.endpoint, path)
      }
      const stray = yield* app.call("POST", "/v1/workspace", { token, body: { name: "A", type: "closed", colour: 1 } })
      assert.include(stray.json.error_message, "colour")
      const deep = `{"name":${"[".repeat(100_000)}1${"]".repeat(100_000)},"type":"closed"}`
      const nested = yield* app.call("POST", "/v1/workspace", { token, body: deep })
      assert.deepInclude(nested.json, { status_code: 400, error_code: "input_validation" })
      const brackets = yield* app.call("POST", "/v1/workspace", {
        token,
        body: { name: '["{\\\\'.repeat(100), type: "closed" }
      })
      assert.strictEqual(brackets.status, 200, brackets.text)
      const big = yield* app.call("POST", "/v1/workspace", {
        token,
        body: { name: "x".repeat(3_000_000), type: "closed" }
      })
      assert.deepInclude(big.json, { status_code: 400, error_code: "validation" })
    })
  )

  it.effect(
    "1.5: what does not fit is named with its place and with what is expected there, in words that a caller knows",
    () =>
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* seedWorkspace
        const { app_id } = yield* createApp(owner, workspaceId, [])
        const app = yield* App
        const { key: token } = owner
        const listing = `/v1/record/app/${app_id}`
        for (const [method, path, body, message] of [
          ["POST", listing, "", "body: Expected object"],
          ["POST", listing, [], "body: Expected object"],
          ["POST", "/v1/automation-run", "", "body: Expected object"],
          [
            "PUT",
            `/v1/app/${app_id}`,
            { icon: { type: "picture" } },
            'icon: Expected object with type "graphic" | "emoji"'
          ],
          [
            "POST",
            `/v1/view/app/${app_id}`,
            { name: "A", layout: "grid" },
            'layout: Expected "table" | "list" | "board" | "calendar" | "gallery"'
          ],
          ["PUT", `/v1/app/${app_id}`, { icon: "box" }, 'icon: Expected null | object with type "graphic" | "emoji"'],
          [
            "PUT",
            `/v1/app/${app_id}`,
            { fields: [{ field_type: "single_date", config: { label: "D", settings: { time: "yes" } } }] },
            'fields[0].config.settings.time: Expected "disabled" | "enabled" | "required"'
          ],
          [
            "GET",
            "/v1/automation/org?status=live",
            undefined,
            'status: Expected "draft" | "active" | "paused" | "broken"'
          ],
          ["GET", `${listing}?limit=1&limit=2`, undefined, "limit: Expected one value only"],
          ["GET", `${listing}?sort_by=title&sort_by=title`, undefined, "sort_by: Expected one value only"]
        ] as const) {
          const reply = yield* app.call(method, path, body === undefined ? { token } : { token, body })
          assert.deepStrictEqual([reply.status, reply.json.error_message], [400, message], `${method} ${path}`)
        }
      })
  )

  it.effect("1.5: an empty body is read as one of JSON, whatever kind it says to be, as `curl -d ''` does", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [])
      const { json } = yield* app.call("POST", `/v1/automation/app/${app_id}`, {
        token: owner.key,
        body: { name: "A", trigger: { type: "record_created" } }
      })
      for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/json"]) {
        const options = { token: owner.key, body: "", headers: { "content-type": type } }
        const expected = yield* app.call("POST", `/v1/record/app/${app_id}`, options)
        assert.deepInclude(expected.json, { status_code: 400, error_code: "input_validation" }, type)
        const none = yield* app.call("POST", `/v1/automation/${json.automation.id}/pause`, options)
        assert.strictEqual(none.status, 200, type)
      }
    })
  )

  it.effect("1.5: NUL in a path or a query is a 400 that names the place", () =>
    Effect.gen(function* () {
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [])
      const pointing = yield* createApp(owner, workspaceId, [
        field("single_relation", "R", { referenced_apps: [{ app_id }] })
      ])
      const app = yield* App
      for (const [path, place] of [
        [`/v1/record/app/${app_id}?limit=5&title=a%00b`, "title"],
        [`/v1/record/field/${pointing.fields[0].field_id}/find?text=%00`, "text"],
        ["/v1/hook/delivery/a%00b", "path"]
      ] as const) {
        const { json, status } = yield* app.call("GET", path, { token: owner.key })
        assert.deepStrictEqual(
          [status, json.error_code, json.error_message],
          [400, "invalid_request_url", `${place}: contains a NUL character.`],
          path
        )
      }
      const spelt = yield* app.call("GET", `/v1/record/app/${app_id}?title=a%2500b`, { token: owner.key })
      assert.strictEqual(spelt.status, 200, spelt.text)
    })
  )

  it.effect(
    "1.8: a repeated key replays the stored answer; another body is 409; a failed call's answer is stored too",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const headers = { "idempotency-key": "k-1" }
        const send = (name: string) =>
          app.call("POST", "/v1/workspace", { token: owner.key, headers, body: { name, type: "closed" } })
        const firstReply = yield* send("One")
        const second = yield* send("One")
        assert.strictEqual(firstReply.status, 200, firstReply.text)
        assert.isNull(firstReply.headers.get("idempotency-replayed"))
        assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
        assert.strictEqual(second.text, firstReply.text)
        assert.strictEqual((yield* send("Two")).json.error_code, "conflict_error")
        assert.strictEqual((yield* app.call("GET", "/v1/workspace/org", { token: owner.key })).json.total, 1)
      })
  )

  it.effect("1.8: a refused call leaves its answer, and nothing of what it had begun", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
      const record = yield* app.call("POST", `/v1/record/app/${app_id}`, { token: owner.key, body: { fields: {} } })
      const count = sql<{ n: number }>`SELECT (SELECT count(*) FROM comments) + (SELECT count(*) FROM outbox) AS n`
      const countBefore = yield* count
      const path = `/v1/comment/record/${record.json.record_id}`
      for (const replayed of [null, "true"]) {
        const refusal = yield* app.call("POST", path, {
          token: owner.key,
          headers: { "idempotency-key": "k-2" },
          body: { value: "On its way", file_ids: ["temporary-none"] }
        })
        assert.deepInclude(refusal.json, { status_code: 400, error_code: "validation" })
        assert.strictEqual(refusal.headers.get("idempotency-replayed"), replayed)
      }
      assert.deepStrictEqual(yield* count, countBefore)
    })
  )

  it.effect("1.8, 2.4: an answer that shows a record is not replayed to a credential that may only write", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, workspaceId } = yield* seedWorkspace
      const { app_id } = yield* createApp(owner, workspaceId, [field("single_text", "Name")])
      const writing = yield* seedToken(owner.userId, ["records:edit"])
      const both = yield* seedToken(owner.userId, ["records:edit", "records:read"])
      const create = (token: string, key: string) =>
        Effect.map(
          app.call("POST", `/v1/record/app/${app_id}`, {
            token,
            headers: { "idempotency-key": key },
            body: { fields: { name: "A" } }
          }),
          ({ headers, json, status }) => [status, headers.get("idempotency-replayed"), "title" in json]
        )
      assert.deepStrictEqual(yield* create(owner.key, "one"), [200, null, true])
      assert.deepStrictEqual(yield* create(both, "one"), [200, "true", true])
      assert.deepStrictEqual(yield* create(writing, "one"), [409, null, false])
      assert.deepStrictEqual(yield* create(writing, "two"), [200, null, false])
      assert.deepStrictEqual(yield* create(writing, "two"), [200, "true", false])
      assert.deepStrictEqual(yield* create(owner.key, "two"), [409, null, false])
    })
  )

  it.effect("1.8: twenty calls with one key at once create one workspace", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const createWorkspace = app.call("POST", "/v1/workspace", {
        token: owner.key,
        headers: { "idempotency-key": "same" },
        body: { name: "One", type: "closed" }
      })
      const replies = yield* Effect.all(
        Array.from({ length: 20 }, () => createWorkspace),
        { concurrency: "unbounded" }
      )
      for (const { status } of replies) assert.include([200, 409], status)
      assert.strictEqual((yield* app.call("GET", "/v1/workspace/org", { token: owner.key })).json.total, 1)
    })
  )

  it.effect("1.7: a deactivated user loses key and tokens at once; one who becomes a guest loses the tokens", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const member = yield* seedUser(orgId, "member")
      const token = yield* seedToken(member.userId, ["organization:read"])
      const status = (credential: string) =>
        Effect.map(app.call("GET", "/v1/org", { token: credential }), (r) => r.status)
      assert.deepStrictEqual([yield* status(token), yield* status(member.key)], [200, 200])
      const path = `/v1/org/user/${member.userId}`
      yield* app.call("PUT", path, { token: owner.key, body: { role: "guest" } })
      assert.deepStrictEqual([yield* status(token), yield* status(member.key)], [401, 200])
      yield* app.call("PUT", path, { token: owner.key, body: { status: "deactivated" } })
      assert.strictEqual(yield* status(member.key), 401)
    })
  )
})

layer(appLayer({ RATE_BUDGET: "50" }), { excludeTestServices: true })(
  "developer-api.md 1.6: the credit budget",
  (it) => {
    it.effect(
      "refuses with 429 when the window's credits are spent, whatever the credential, and says when it refills",
      () =>
        Effect.gen(function* () {
          const app = yield* App
          const { owner } = yield* seedOrganization()
          const token = yield* seedToken(owner.userId, ["organization:read"])
          for (let i = 1; i <= 5; i++) {
            const { headers } = yield* app.call("GET", "/v1/org", { token: i % 2 === 0 ? owner.key : token })
            assert.strictEqual(headers.get("x-ratelimit-limit"), "50")
            assert.strictEqual(headers.get("x-retry-remaining"), String(50 - 10 * i))
          }
          const { status, json, headers } = yield* app.call("GET", "/v1/org", { token })
          assert.strictEqual(status, 429)
          assert.deepInclude(json, {
            error_code: "too_many_requests",
            rate_limit: 50,
            rate_limit_remaining: 0,
            rate_limit_cost: 10
          })
          assert.match(headers.get("x-retry-reset") ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
          assert.strictEqual(headers.get("retry-after"), String(json.retry_after))
        })
    )
  }
)
