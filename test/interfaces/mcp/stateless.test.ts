// Revision 2026-07-28: each request tells version, client and capabilities itself, headers repeat what the body says, and lists
// say how long they may be kept (MCP 2026-07-28: versioning, Streamable HTTP, discovery, caching).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { ask, headersOf, message, metaOf, type Names, revision } from "./modern.ts"
import { harbor, post } from "./support.ts"

layer(appLayer(), { excludeTestServices: true })("MCP 2026-07-28", (it) => {
  it.effect("tells without a handshake what the server speaks and is", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      const reply = yield* ask(token, "server/discover")
      assert.strictEqual(reply.status, 200, reply.text)
      assert.isNull(reply.headers.get("mcp-session-id"))
      const { result } = reply.json
      assert.strictEqual(result.resultType, "complete")
      assert.deepStrictEqual(result.supportedVersions, [revision])
      assert.deepStrictEqual(result.capabilities, {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        extensions: { "io.modelcontextprotocol/tasks": {} }
      })
      assert.strictEqual(result._meta["io.modelcontextprotocol/serverInfo"].name, "millrace")
      assert.include(result.instructions, "list_apps")
      assert.strictEqual((yield* post(message("server/discover"), { headers: {} })).status, 401)
    })
  )

  it.effect("calls tools, reads resources and gives prompts, each request by itself", () =>
    Effect.gen(function* () {
      const { appId, owner, token } = yield* harbor
      const me = yield* ask(token, "tools/call", { name: "who_am_i", arguments: {} })
      assert.strictEqual(me.json.result.structuredContent.user_id, owner.userId)
      assert.strictEqual(me.json.result.resultType, "complete")
      const uri = `millrace://app/${appId}`
      const read = yield* ask(token, "resources/read", { uri })
      assert.strictEqual(JSON.parse(read.json.result.contents[0].text).app_id, appId)
      const args = { app_id: String(appId), goal: "Greet" }
      const prompt = yield* ask(token, "prompts/get", { name: "build_automation", arguments: args })
      assert.strictEqual(prompt.json.result.messages.length, 2)
      const encoded = `=?base64?${Buffer.from("who_am_i").toString("base64")}?=`
      const encodedReply = yield* ask(token, "tools/call", { name: "who_am_i" }, { "mcp-name": encoded })
      assert.strictEqual(encodedReply.status, 200, encodedReply.text)
    })
  )

  it.effect("says how long and for whom each list and reading may be kept, to earlier revisions nothing", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const kept: ReadonlyArray<readonly [string, Names, number, string]> = [
        ["server/discover", {}, 300_000, "public"],
        ["tools/list", {}, 300_000, "private"],
        ["prompts/list", {}, 300_000, "public"],
        ["resources/templates/list", {}, 300_000, "public"],
        ["resources/list", {}, 0, "private"],
        ["resources/read", { uri: "millrace://automation/schema" }, 300_000, "public"],
        ["resources/read", { uri: `millrace://app/${appId}` }, 0, "private"]
      ]
      for (const [method, params, ttlMs, cacheScope] of kept) {
        const { result } = (yield* ask(token, method, { ...params })).json
        assert.deepStrictEqual([result.ttlMs, result.cacheScope], [ttlMs, cacheScope], method)
        if (method === "server/discover") continue
        const earlier = yield* post({ jsonrpc: "2.0", id: 1, method, params }, { token })
        assert.notProperty(earlier.json.result, "ttlMs", method)
        assert.notProperty(earlier.json.result, "resultType", method)
      }
    })
  )

  it.effect("refuses a request whose headers are missing or say something else than its body (400, -32020)", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      const call = message("tools/call", { name: "who_am_i", arguments: {} })
      const right = headersOf("tools/call", { name: "who_am_i" })
      const wrong: ReadonlyArray<Record<string, string>> = [
        { ...right, "mcp-protocol-version": "2025-11-25" },
        { ...right, "mcp-protocol-version": "2099-01-01" },
        { ...right, "mcp-method": "tools/list" },
        { ...right, "mcp-method": "TOOLS/CALL" },
        { ...right, "mcp-name": "list_apps" },
        { ...right, "mcp-name": "=?base64?%%%?=" },
        { "mcp-protocol-version": revision, "mcp-name": "who_am_i" },
        { "mcp-protocol-version": revision, "mcp-method": "tools/call" }
      ]
      for (const headers of wrong) {
        const reply = yield* post(call, { token, headers })
        const what = JSON.stringify(headers)
        assert.strictEqual(reply.status, 400, `${what} ${reply.text}`)
        assert.deepStrictEqual([reply.json.id, reply.json.error.code], [call.id, -32020], what)
      }
      const long = yield* ask(token, "resources/read", { uri: "x".repeat(100_000) }, { "mcp-name": "y" })
      assert.deepStrictEqual([long.status, long.json.error.code], [400, -32020])
      assert.isBelow(long.text.length, 5_000)
    })
  )

  it.effect(
    "refuses a request without the fields of its _meta (400, -32602), and revisions that it does not have",
    () =>
      Effect.gen(function* () {
        const { token } = yield* harbor
        const fullMeta = metaOf(revision)
        for (const key of ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"]) {
          const _meta = Object.fromEntries(Object.entries(fullMeta).filter(([name]) => name !== key))
          const body = { jsonrpc: "2.0", id: 3, method: "tools/list", params: { _meta } }
          const reply = yield* post(body, { token, headers: headersOf("tools/list", {}) })
          assert.deepStrictEqual([reply.status, reply.json.id, reply.json.error.code], [400, 3, -32602], key)
        }
        const none = { jsonrpc: "2.0", id: 3, method: "tools/list" }
        const bare = yield* post(none, { token, headers: headersOf("tools/list", {}) })
        assert.deepStrictEqual([bare.status, bare.json.error.code], [400, -32602])
        const headers = { ...headersOf("tools/list", {}), "mcp-protocol-version": "2099-01-01" }
        const later = yield* post(message("tools/list", {}, "2099-01-01"), { token, headers })
        assert.deepStrictEqual([later.status, later.json.id, later.json.error.code], [400, "tools/list-1", -32022])
        assert.deepStrictEqual(later.json.error.data, { supported: [revision], requested: "2099-01-01" })
      })
  )

  it.effect("answers a method that it does not have with 404 and -32601, under the request's id", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      // Gone with the sessions, never there, and of another object's prototype.
      for (const method of [
        "initialize",
        "ping",
        "resources/subscribe",
        "logging/setLevel",
        "nothing",
        "constructor"
      ]) {
        const reply = yield* ask(token, method)
        assert.strictEqual(reply.status, 404, `${method} ${reply.text}`)
        assert.deepStrictEqual([reply.json.id, reply.json.error.code], [`${method}-1`, -32601], method)
      }
    })
  )

  it.effect("answers what does not fit a method's params with -32602, a resource that is not there too", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      const badCalls: ReadonlyArray<readonly [string, Names & Record<string, unknown>]> = [
        ["tools/call", { name: "drop_everything" }],
        ["prompts/get", { name: "none" }],
        ["resources/read", { uri: "millrace://nothing" }],
        ["resources/read", { uri: "millrace://app/999999" }],
        ["resources/list", { cursor: "x" }],
        ["resources/list", { cursor: 7 }]
      ]
      for (const [method, params] of badCalls) {
        const reply = yield* ask(token, method, params)
        assert.deepStrictEqual([reply.json.id, reply.json.error.code], [`${method}-1`, -32602], reply.text)
      }
    })
  )

  it.effect("has no batches, steps up before anything runs, and answers notifications with 202", () =>
    Effect.gen(function* () {
      const { owner, token } = yield* harbor
      const batch = yield* post([message("tools/list")], { token, headers: { "mcp-protocol-version": revision } })
      assert.deepStrictEqual([batch.status, batch.json.error.code], [400, -32600])
      const narrow = yield* seedToken(owner.userId, ["apps:read"])
      const refusal = yield* ask(narrow, "tools/call", { name: "create_record", arguments: {} })
      assert.strictEqual(refusal.status, 403)
      assert.include(refusal.headers.get("www-authenticate") ?? "", 'scope="records:edit"')
      const note = { jsonrpc: "2.0", method: "notifications/x", params: { _meta: metaOf(revision) } }
      const noted = yield* post(note, { token, headers: { "mcp-protocol-version": revision } })
      assert.deepStrictEqual([noted.status, noted.text], [202, ""])
    })
  )

  it.effect("lets a page of any site send the headers of the revision", () =>
    Effect.gen(function* () {
      const app = yield* App
      const preflight = yield* app.call("OPTIONS", "/mcp", {
        headers: {
          origin: "https://assistant.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name"
        }
      })
      const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").toLowerCase()
      for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) assert.include(allowed, name)
    })
  )
})
