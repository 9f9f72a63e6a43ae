// The endpoint itself: who may call, what is refused and how (service.md 4.1, 4.2, 5, 7.2; decisions O4, O13; MCP transports).

import { assert, layer } from "@effect/vitest"
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedToken } from "../../support/app.ts"
import { askAs } from "./modern.ts"
import { callTool, post, rpc } from "./support.ts"

const metadata = "http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp"
const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

const preflight = Effect.fnUntraced(function* (origin: string, more: Record<string, string> = {}) {
  const app = yield* App
  const headers = { origin, "access-control-request-method": "POST", ...more }
  return yield* app.call("OPTIONS", "/mcp", { headers })
})

layer(appLayer(), { excludeTestServices: true })("the MCP endpoint", (it) => {
  const owner = Effect.map(seedOrganization(), (org) => org.owner)

  it.effect("answers requests one by one, with no session (service.md 1)", () =>
    Effect.gen(function* () {
      const { key, userId } = yield* owner
      const started = yield* rpc(
        "initialize",
        { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
        { token: key }
      )
      assert.strictEqual(started.status, 200)
      assert.strictEqual(started.json.result.protocolVersion, "2025-11-25")
      assert.deepStrictEqual(started.json.result.capabilities, {
        tools: {},
        resources: {},
        prompts: {},
        completions: {}
      })
      assert.isNull(started.headers.get("mcp-session-id"))
      assert.match(started.headers.get("content-type") ?? "", /^application\/json/)
      assert.strictEqual(started.headers.get("cache-control"), "no-store")
      const notified = yield* post({ jsonrpc: "2.0", method: "notifications/initialized" }, { token: key })
      assert.deepStrictEqual([notified.status, notified.text], [202, ""])
      const me = yield* callTool(key, "who_am_i")
      assert.strictEqual((me.structuredContent as any).user_id, userId)
    })
  )

  it.effect("challenges a request without credential, and any credential that is not valid, alike (7.2, O4)", () =>
    Effect.gen(function* () {
      const none = yield* rpc("ping")
      assert.strictEqual(none.status, 401)
      assert.strictEqual(none.json.error_code, "dev_api_authentication")
      assert.strictEqual(none.headers.get("www-authenticate"), `Bearer resource_metadata="${metadata}"`)
      const { key } = yield* owner
      const bad = [
        { authorization: "Bearer svc_oat_nobody" },
        { authorization: "Bearer " },
        { authorization: `Basic ${btoa(`${key}:`)}` },
        { authorization: "Digest x" }
      ]
      for (const headers of bad) {
        const reply = yield* rpc("ping", {}, { headers })
        assert.strictEqual(reply.status, 401, JSON.stringify(headers))
        assert.strictEqual(reply.json.error_code, "dev_api_invalid_access_token")
        const header = reply.headers.get("www-authenticate") ?? ""
        assert.include(header, `Bearer resource_metadata="${metadata}", error="invalid_token", error_description=`)
      }
      const app = yield* App
      const query = yield* app.call("POST", `/mcp?access_token=${key}`, { body: ping })
      assert.strictEqual(query.status, 401)
    })
  )

  it.effect("steps up with a 403 that names every missing scope, before anything runs (4.2)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { userId } = yield* owner
      const token = yield* seedToken(userId, ["apps:read"])
      const call = (id: number, name: string, args: object) => ({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name, arguments: args }
      })
      const reply = yield* post(call(1, "create_record", { app_id: 1, fields: {} }), { token })
      assert.strictEqual(reply.status, 403)
      assert.strictEqual(reply.json.error_code, "forbidden")
      assert.strictEqual(
        reply.headers.get("www-authenticate"),
        `Bearer error="insufficient_scope", error_description="Missing scope: records:edit", scope="records:edit", resource_metadata="${metadata}"`
      )
      const many = [call(1, "list_automations", {}), call(2, "list_apps", {}), call(3, "list_webhooks", { app_id: 1 })]
      const batch = yield* post(many, { token, headers: { "mcp-protocol-version": "2025-03-26" } })
      assert.strictEqual(batch.status, 403)
      assert.include(batch.headers.get("www-authenticate") ?? "", 'scope="automations:read webhooks:manage"')
      const run = yield* rpc("resources/read", { uri: "millrace://run/7" }, { token })
      assert.include(run.headers.get("www-authenticate") ?? "", 'scope="automations:read"')
      const prompt = yield* rpc("prompts/get", { name: "why_did_this_run_fail", arguments: { run_id: "7" } }, { token })
      assert.strictEqual(prompt.status, 403)
      assert.strictEqual((yield* sql`SELECT 1 FROM records`).length, 0)
    })
  )

  it.effect("refuses a foreign Host, and Origins that only a rebound or opaque page has (DNS rebinding)", () =>
    Effect.gen(function* () {
      const { key: token } = yield* owner
      for (const host of [
        "evil.example",
        "evil.example:8080",
        "127.0.0.1:9999",
        "127.0.0.1",
        "a b",
        "user@127.0.0.1:8080"
      ]) {
        const reply = yield* post(ping, { token, headers: { host } })
        assert.strictEqual(reply.status, 403, host)
        assert.strictEqual(reply.json.error.message, "This Host is not served here.")
      }
      assert.strictEqual((yield* post(ping, { token, headers: { host: "127.0.0.1:8080" } })).status, 200)
      for (const origin of [
        "null",
        "http://evil.example",
        "http://evil.example:8080",
        "HTTP://evil.example:8080",
        "https://a.example/x",
        "chrome-extension://aaaa/x",
        "tauri:localhost",
        "app://user@host",
        ""
      ]) {
        const reply = yield* post(ping, { token, headers: { origin } })
        assert.strictEqual(reply.status, 403, origin)
        assert.isUndefined(reply.json.result)
        const preflightReply = yield* preflight(origin)
        assert.deepStrictEqual(
          [preflightReply.status, preflightReply.headers.get("access-control-allow-origin")],
          [403, null],
          origin
        )
      }
      const rebound = yield* preflight("https://assistant.example", { host: "evil.example" })
      assert.deepStrictEqual([rebound.status, rebound.headers.get("access-control-allow-origin")], [403, null])
      const nobody = yield* post(ping, { headers: { host: "evil.example" } })
      assert.strictEqual(nobody.status, 403)
    })
  )

  it.effect("lets extensions and desktop shells in, preflight and request by one rule (decisions O26)", () =>
    Effect.gen(function* () {
      const { key: token } = yield* owner
      for (const origin of [
        "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh",
        "moz-extension://0f1e",
        "safari-web-extension://0F1E",
        "tauri://localhost",
        "app://obsidian.md",
        "vscode-file://vscode-app",
        "vscode-webview://1abc",
        "capacitor://localhost",
        "file://"
      ]) {
        const preflightReply = yield* preflight(origin)
        assert.deepStrictEqual(
          [preflightReply.status, preflightReply.headers.get("access-control-allow-origin")],
          [204, origin]
        )
        const reply = yield* post(ping, { token, headers: { origin } })
        assert.strictEqual(reply.status, 200, origin)
        assert.strictEqual(reply.headers.get("access-control-allow-origin"), origin)
        const rebound = yield* post(ping, { token, headers: { origin, host: "evil.example:8080" } })
        assert.strictEqual(rebound.status, 403, origin)
      }
    })
  )

  it.effect("lets browser clients of any site in, and exposes the challenge to them (developer-api.md 1.1)", () =>
    Effect.gen(function* () {
      const { key: token } = yield* owner
      const app = yield* App
      for (const origin of ["https://assistant.example", "http://localhost:6274", "http://127.0.0.1:8080"]) {
        const reply = yield* post(ping, { token, headers: { origin } })
        assert.strictEqual(reply.status, 200, origin)
        assert.strictEqual(reply.headers.get("access-control-allow-origin"), origin)
        assert.isNull(reply.headers.get("access-control-allow-credentials"))
      }
      const refusal = yield* post(ping, { headers: { origin: "https://assistant.example" } })
      assert.strictEqual(refusal.status, 401)
      assert.include(refusal.headers.get("access-control-expose-headers") ?? "", "WWW-Authenticate")
      const preflight = yield* app.call("OPTIONS", "/mcp", {
        headers: {
          origin: "https://assistant.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,content-type,mcp-protocol-version"
        }
      })
      assert.strictEqual(preflight.status, 204)
      assert.include(preflight.headers.get("access-control-allow-headers") ?? "", "MCP-Protocol-Version")
    })
  )

  it.effect("has POST only: GET, DELETE and the rest are 405 for who may call, 401 for others", () =>
    Effect.gen(function* () {
      const { key: token } = yield* owner
      const app = yield* App
      for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
        const reply = yield* app.call(method, "/mcp", { token, headers: { accept: "text/event-stream" } })
        assert.strictEqual(reply.status, 405, method)
        assert.strictEqual(reply.headers.get("allow"), "POST")
        assert.strictEqual((yield* app.call(method, "/mcp", {})).status, 401, method)
      }
    })
  )

  it.effect("refuses bodies that are too large, of another kind, or not JSON-RPC", () =>
    Effect.gen(function* () {
      const { key: token } = yield* owner
      const refusals: ReadonlyArray<readonly [unknown, number, number, number | null]> = [
        ["{", 400, -32700, null],
        ["", 400, -32700, null],
        ["null", 400, -32600, null],
        ["7", 400, -32600, null],
        ["{}", 400, -32600, null],
        [{ ...ping, jsonrpc: "1.0" }, 400, -32600, 1],
        [{ ...ping, method: 7 }, 400, -32600, 1],
        [{ ...ping, method: "" }, 400, -32600, 1],
        [{ ...ping, id: null }, 400, -32600, null],
        [{ ...ping, id: 1.5 }, 400, -32600, null],
        [{ ...ping, params: [] }, 400, -32600, 1],
        [{ jsonrpc: "2.0", id: 1 }, 400, -32600, 1],
        [{ ...ping, params: { x: "y".repeat(2 * 1024 * 1024) } }, 413, -32600, null],
        [
          `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${"[".repeat(9000)}${"]".repeat(9000)}}}`,
          400,
          -32600,
          1
        ]
      ]
      for (const [body, status, code, id] of refusals) {
        const reply = yield* post(body, { token })
        const what = String(JSON.stringify(body)).slice(0, 80)
        assert.strictEqual(reply.status, status, `${what} ${reply.text.slice(0, 200)}`)
        assert.deepStrictEqual([reply.json.jsonrpc, reply.json.id, reply.json.error.code], ["2.0", id, code], what)
      }
      const form = yield* post("a=b", { token, headers: { "content-type": "application/x-www-form-urlencoded" } })
      assert.strictEqual(form.status, 415)
      assert.strictEqual((yield* post(ping, { token, headers: { accept: "text/html" } })).status, 406)
      for (const accept of ["*/*", "application/json", "application/json;q=0.9, text/event-stream"]) {
        assert.strictEqual((yield* post(ping, { token, headers: { accept } })).status, 200, accept)
      }
    })
  )

  it.effect("answers who takes event streams alone with a stream of one event, refusals with JSON all the same", () =>
    Effect.gen(function* () {
      const { key: token, userId } = yield* owner
      const call = { jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "who_am_i" } }
      for (const accept of ["text/event-stream", "text/event-stream;q=0.5, text/html", "text/*"]) {
        const reply = yield* post(call, { token, headers: { accept } })
        assert.strictEqual(reply.status, 200)
        assert.strictEqual(reply.headers.get("content-type"), "text/event-stream")
        assert.strictEqual(reply.headers.get("cache-control"), "no-store")
        const [, data] = /^event: message\ndata: (.*)\n\n$/.exec(reply.text)!
        const { id, result } = JSON.parse(data!)
        assert.deepStrictEqual([id, result.structuredContent.user_id], [5, userId])
      }
      const headers = { accept: "text/event-stream" }
      const refusal = yield* post({ ...ping, jsonrpc: "1.0" }, { token, headers })
      assert.deepStrictEqual([refusal.status, refusal.json.error.code], [400, -32600])
      assert.strictEqual((yield* post({ jsonrpc: "2.0", method: "notifications/x" }, { token, headers })).status, 202)
    })
  )

  it.effect("answers an unknown method, tool, prompt or resource as JSON-RPC says", () =>
    Effect.gen(function* () {
      const { key: token } = yield* owner
      const badCalls: ReadonlyArray<readonly [string, object, number]> = [
        ["nothing/here", {}, -32601],
        ["tools/call", { name: "drop_everything" }, -32602],
        ["tools/call", {}, -32602],
        ["prompts/get", { name: "none" }, -32602],
        ["prompts/get", { name: "build_automation", arguments: { app_id: "1" } }, -32602],
        ["resources/read", { uri: "file:///etc/passwd" }, -32002],
        ["resources/read", { uri: "millrace://app/999999" }, -32002],
        ["resources/list", { cursor: "x" }, -32602],
        ["tools/list", { cursor: "x" }, -32602],
        ["prompts/list", { cursor: "50" }, -32602],
        ["resources/templates/list", { cursor: "x" }, -32602]
      ]
      for (const [method, params, code] of badCalls) {
        const reply = yield* rpc(method, params, { token })
        assert.strictEqual(reply.status, 200, method)
        assert.strictEqual(reply.json.error.code, code, `${method} ${reply.text}`)
      }
    })
  )

  it.effect("negotiates the protocol version, and names those it has to who asks for another", () =>
    Effect.gen(function* () {
      const { key: token } = yield* owner
      const initialize = (protocolVersion: string) =>
        rpc("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } }, { token })
      for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
        assert.strictEqual((yield* initialize(version)).json.result.protocolVersion, version)
        const headers = { "mcp-protocol-version": version }
        assert.strictEqual((yield* post(ping, { token, headers })).status, 200, version)
      }
      assert.strictEqual((yield* initialize("2099-01-01")).json.result.protocolVersion, "2025-11-25")
      const unknown = yield* post(ping, { token, headers: { "mcp-protocol-version": "2099-01-01" } })
      assert.strictEqual(unknown.status, 400)
      assert.deepStrictEqual(unknown.json.error.data, {
        supported: ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS],
        requested: "2099-01-01"
      })
    })
  )

  it.effect("takes batches in the one version that has them, and no floods", () =>
    Effect.gen(function* () {
      const { key: token, userId } = yield* owner
      const headers = { "mcp-protocol-version": "2025-03-26" }
      const who = (id: number | string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "who_am_i" } })
      const note = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
      const two = yield* post([who(1), note, who("1")], { token, headers })
      assert.strictEqual(two.status, 200, two.text)
      assert.deepStrictEqual(
        two.json.map((one: any) => [one.id, one.result.structuredContent.user_id]),
        [
          [1, userId],
          ["1", userId]
        ]
      )
      const batchReply = yield* post([ping], { token, headers })
      assert.deepStrictEqual(batchReply.json, [{ jsonrpc: "2.0", id: 1, result: {} }])
      assert.strictEqual((yield* post([note, note], { token, headers })).status, 202)
      const flood = Array.from({ length: 21 }, (_, id) => ({ ...ping, id }))
      const initialize = { ...ping, id: 2, method: "initialize" }
      for (const body of [flood, [], [ping, ping], [ping, initialize], [ping, 7]]) {
        const reply = yield* post(body, { token, headers })
        assert.deepStrictEqual([reply.status, reply.json.error.code], [400, -32600], JSON.stringify(body).slice(0, 80))
      }
      for (const version of ["2025-06-18", "2025-11-25"]) {
        const reply = yield* post([ping], { token, headers: { "mcp-protocol-version": version } })
        assert.strictEqual(reply.status, 400, version)
      }
    })
  )
})

layer(appLayer({ RATE_BUDGET: "50", RATE_BASE_COST: "10" }), { excludeTestServices: true })("MCP credits", (it) => {
  it.effect(
    "draws tool calls, refused ones too, from the user's one budget (service.md 5, developer-api.md 1.5, 1.6)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const token = yield* seedToken(owner.userId, ["records:read"])
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token })).status, 200)
        assert.isUndefined((yield* callTool(token, "who_am_i")).isError)
        assert.strictEqual((yield* rpc("tools/call", { name: "list_automations" }, { token })).status, 403)
        assert.strictEqual((yield* rpc("tools/list", {}, { token })).status, 200)
        const spent = yield* callTool(token, "who_am_i")
        assert.isTrue(spent.isError)
        assert.match(
          (spent.content[0] as any).text,
          /^too_many_requests: .*\nRetry after \d+ seconds\.\nWhat to do: Wait/
        )
        const refusal = yield* rpc("tools/call", { name: "list_apps" }, { token })
        assert.strictEqual(refusal.status, 429)
        assert.match(refusal.headers.get("retry-after") ?? "", /^\d+$/)
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token })).status, 429)
      })
  )

  it.effect("draws what is no call of the API from it too: lists, what is published, calls that do not fit", () =>
    Effect.gen(function* () {
      const listCalls: ReadonlyArray<readonly [string, object]> = [
        ["tools/list", {}],
        ["resources/list", {}],
        ["resources/templates/list", {}],
        ["resources/read", { uri: "millrace://automation/schema" }],
        ["resources/read", { uri: "millrace://nowhere" }],
        ["prompts/list", {}],
        ["prompts/get", { name: "build_app", arguments: { goal: "x" } }],
        ["completion/complete", { ref: { type: "ref/prompt", name: "nope" }, argument: { name: "x", value: "" } }],
        ["tools/call", { name: "nope" }],
        ["tools/call", { name: "who_am_i", arguments: { stray: 1 } }],
        ["ping", {}],
        ["nope", {}]
      ]
      for (const [method, params] of listCalls) {
        const { owner } = yield* seedOrganization()
        const token = yield* seedToken(owner.userId, [])
        for (let i = 0; i < 5; i++) {
          const { json, status } = yield* rpc(method, params, { token })
          assert.strictEqual(status, 200, method)
          assert.notMatch(JSON.stringify(json), /too_many_requests/, method)
        }
        const sixth = yield* rpc(method, params, { token })
        assert.match(sixth.text, /too_many_requests/, `${method} ${JSON.stringify(params)}`)
      }
      const { owner } = yield* seedOrganization()
      const messages = Array.from({ length: 6 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" }))
      const headers = { "mcp-protocol-version": "2025-03-26" }
      assert.strictEqual((yield* post(messages, { token: owner.key, headers })).status, 429)
      assert.strictEqual((yield* post(messages.slice(1), { token: owner.key, headers })).status, 200)
    })
  )

  it.effect("draws looks at tasks from it too, whether there is such a task or not", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const askTask = askAs({ extensions: { "io.modelcontextprotocol/tasks": {} } })
      for (let i = 0; i < 5; i++)
        assert.strictEqual((yield* askTask(owner.key, "tasks/get", { taskId: "run-1" })).json.error.code, -32602)
      assert.strictEqual((yield* askTask(owner.key, "tasks/get", { taskId: "run-1" })).status, 429)
    })
  )
})
