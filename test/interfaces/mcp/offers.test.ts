// What is offered to whom: toolsets, tools that change nothing, and how large the lists are that models read.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { allScopes } from "../../../src/domain/accounts/Scope.ts"
import { basics, tools, toolsets } from "../../../src/interfaces/mcp/tools/registry.ts"
import { App, appLayer, seedOrganization, seedToken } from "../../support/app.ts"
import { askAs } from "./modern.ts"
import { callTool, harbor, ok } from "./support.ts"

/** Bytes of `tools/list`. */
const ALL_BYTES = 64_000
const SET_BYTES = 15_000

const ask = Effect.fnUntraced(function* (
  token: string,
  query: string,
  method = "tools/list",
  params: object = {},
  headers: Record<string, string> = {}
) {
  const app = yield* App
  return yield* app.call("POST", `/mcp${query}`, {
    body: { jsonrpc: "2.0", id: 1, method, params },
    token,
    headers: { accept: "application/json", "mcp-protocol-version": "2025-11-25", ...headers }
  })
})

const namesOf = (reply: { readonly json: any }): ReadonlyArray<string> =>
  reply.json.result.tools.map(({ name }: { readonly name: string }) => name)
const namesIn = (...sets: ReadonlyArray<string>) =>
  new Set([...basics, ...sets.flatMap((set) => toolsets[set]!)].map(({ name }) => name))

layer(appLayer(), { excludeTestServices: true })("MCP offers", (it) => {
  it.effect(`all tools in ${ALL_BYTES} bytes, one set in ${SET_BYTES}`, () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const fullList = yield* ask(owner.key, "")
      assert.strictEqual(namesOf(fullList).length, tools.size)
      assert.isBelow(Buffer.byteLength(fullList.text), ALL_BYTES)
      const toolNames = new Set(basics)
      for (const [set, members] of Object.entries(toolsets)) {
        const setList = yield* ask(owner.key, `?toolsets=${set}`)
        assert.deepStrictEqual(new Set(namesOf(setList)), namesIn(set), set)
        assert.isBelow(Buffer.byteLength(setList.text), SET_BYTES, set)
        for (const tool of members) toolNames.add(tool)
      }
      assert.strictEqual(toolNames.size, tools.size)
    })
  )

  it.effect("sets are chosen by the address or by the headers of GitHub's server", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const two = namesIn("records", "automations")
      const header = (text: string) => ask(owner.key, "", "tools/list", {}, { "x-mcp-toolsets": text })
      assert.deepStrictEqual(new Set(namesOf(yield* ask(owner.key, "?toolsets=records,automations"))), two)
      assert.deepStrictEqual(new Set(namesOf(yield* ask(owner.key, "?toolsets=records&toolsets=automations"))), two)
      assert.deepStrictEqual(new Set(namesOf(yield* header(" Records , automations,"))), two)
      for (const text of ["", " ", "all", "default", "records,all"])
        assert.strictEqual(namesOf(yield* header(text)).length, tools.size, text)
      const wrong = yield* ask(owner.key, "?toolsets=record")
      assert.deepStrictEqual([wrong.status, wrong.json.error.code], [400, -32600])
      assert.match(wrong.json.error.message, /no set "record".*did you mean "records"\?/)
      assert.strictEqual((yield* header("repos")).status, 400)
    })
  )

  it.effect("readonly offers what changes nothing, and carries out nothing else", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const reading = [...tools.values()].filter(({ hints }) => hints.readOnlyHint).map(({ name }) => name)
      const { record_id } = yield* ok(token, "create_record", { app_id: appId, fields: {} })
      const readonlyForms: ReadonlyArray<readonly [string, Record<string, string>]> = [
        ["?readonly=true", {}],
        ["?readonly", {}],
        ["?readonly=1", {}],
        ["", { "x-mcp-readonly": "true" }],
        ["?readonly=false", { "x-mcp-readonly": "yes" }]
      ]
      for (const [query, headers] of readonlyForms) {
        assert.deepStrictEqual(namesOf(yield* ask(token, query, "tools/list", {}, headers)), reading, query)
        const call = { name: "delete_record", arguments: { record_id } }
        const refusal = yield* ask(token, query, "tools/call", call, headers)
        assert.strictEqual(refusal.json.error.code, -32602, query)
        assert.match(refusal.json.error.message, /delete_record changes something.*readonly/)
        const read = yield* ask(token, query, "tools/call", { name: "read_record", arguments: { record_id } }, headers)
        assert.isNull(read.json.result.structuredContent.deleted_on)
      }
      const cancel = askAs({ extensions: { "io.modelcontextprotocol/tasks": {} } })
      const kept = yield* cancel(token, "tasks/cancel", { taskId: "run-1" }, { "x-mcp-readonly": "true" })
      assert.match(kept.json.error.message, /readonly/)
      for (const text of ["false", "F", "no", "n", "0", " off ", ""])
        assert.strictEqual(
          namesOf(yield* ask(token, "", "tools/list", {}, { "x-mcp-readonly": text })).length,
          tools.size,
          text
        )
      for (const query of ["?readOnly=true", "?read_only=true", "?toolset=records"]) {
        const slip = yield* ask(token, query)
        assert.strictEqual(slip.status, 400, query)
        assert.match(slip.json.error.message, /did you mean "(?:readonly|toolsets)"\?/)
      }
      assert.strictEqual((yield* ask(token, "?utm_source=x")).status, 200)
    })
  )

  it.effect("a tool of another set is named as such, and asks nobody for its scope", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const token = yield* seedToken(owner.userId, ["records:read"])
      const call = { name: "delete_webhook", arguments: { hook_id: 1 } }
      const reply = yield* ask(token, "?toolsets=records", "tools/call", call)
      assert.deepStrictEqual([reply.status, reply.json.error.code], [200, -32602])
      assert.match(reply.json.error.message, /none of the toolsets/)
      assert.strictEqual((yield* ask(token, "", "tools/call", call)).status, 403)
      const slip = yield* ask(token, "", "tools/call", { name: "search_record", arguments: {} })
      assert.match(slip.json.error.message, /Unknown tool: search_record; did you mean "search_records"\?/)
    })
  )

  it.effect("a token that only reads is offered the tools that only read first", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const reads = allScopes.filter((scope) => scope.endsWith(":read"))
      for (const scopes of [["records:read"] as const, reads]) {
        const token = yield* seedToken(owner.userId, scopes)
        const names = namesOf(yield* ask(token, ""))
        const firstChange = names.findIndex((name) => !tools.get(name)!.hints.readOnlyHint)
        assert.strictEqual(names.length, tools.size)
        assert.isTrue(names.slice(firstChange).every((name) => !tools.get(name)!.hints.readOnlyHint))
      }
      const edits = yield* seedToken(owner.userId, ["records:read", "records:edit"])
      assert.deepStrictEqual(namesOf(yield* ask(edits, "")), [...tools.keys()])
      assert.isUndefined((yield* callTool(edits, "who_am_i")).isError)
    })
  )
})
