// Errors keep the id of what they answer, for malformed and unsupported requests too, and the preflight allows every header, in each revision.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { supportedVersions } from "../../../src/interfaces/mcp/protocolRevisions.ts"
import { App, appLayer } from "../../support/app.ts"
import { headersOf, metaOf, revision } from "./modern.ts"
import { harbor, post } from "./support.ts"

const earlier = supportedVersions.filter((version) => version !== revision)

interface Bad {
  readonly what: string
  readonly method: string
  readonly params: unknown
  readonly code: number
}

const bad: ReadonlyArray<Bad> = [
  { what: "a method that is not there", method: "nothing/there", params: {}, code: -32601 },
  { what: "a method without its params", method: "tools/call", params: {}, code: -32602 },
  { what: "a tool that is not there", method: "tools/call", params: { name: "none" }, code: -32602 },
  { what: "arguments of another type", method: "tools/call", params: { name: "who_am_i", arguments: 7 }, code: -32602 },
  { what: "a reference of no kind", method: "completion/complete", params: { ref: 7 }, code: -32602 },
  { what: "params that are no object", method: "tools/list", params: [1], code: -32600 }
]

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

layer(appLayer(), { excludeTestServices: true })("MCP errors in every revision", (it) => {
  it.effect("stand under the id of their request, a text or a number", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      for (const version of earlier)
        for (const { code, method, params, what } of bad)
          for (const id of [0, 7, "seven", ""]) {
            const headers = { "mcp-protocol-version": version }
            const answer = yield* post({ jsonrpc: "2.0", id, method, params }, { token, headers })
            assert.deepStrictEqual([answer.json.id, answer.json.error.code], [id, code], `${version}: ${what}`)
          }
      for (const { code, method, params, what } of bad)
        for (const id of [0, 7, "seven", ""]) {
          const sentParams = isObject(params) ? { ...params, _meta: metaOf(revision) } : params
          const headers = headersOf(method, isObject(params) ? params : {})
          const answer = yield* post({ jsonrpc: "2.0", id, method, params: sentParams }, { token, headers })
          assert.deepStrictEqual([answer.json.id, answer.json.error.code], [id, code], `${revision}: ${what}`)
        }
    })
  )

  it.effect("stand under it where the revision is not one, and under null where none can be read", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      const unknown = { "mcp-protocol-version": "2019-01-01" }
      const answer = yield* post({ jsonrpc: "2.0", id: "a", method: "tools/list" }, { token, headers: unknown })
      assert.deepStrictEqual([answer.status, answer.json.id, answer.json.error.code], [400, "a", -32022])
      for (const version of supportedVersions) {
        const headers = { "mcp-protocol-version": version }
        for (const body of [
          "{",
          "7",
          '{"jsonrpc":"2.0","id":{},"method":"ping"}',
          '{"jsonrpc":"2.0","id":1.5,"method":"x"}'
        ]) {
          const refusal = yield* post(body, { token, headers })
          assert.deepStrictEqual([refusal.status, refusal.json.id], [400, null], `${version}: ${body}`)
        }
        const half = yield* post({ jsonrpc: "1.0", id: 5, method: "tools/list" }, { token, headers })
        assert.deepStrictEqual([half.status, half.json.id], [400, 5], version)
      }
    })
  )

  it.effect("pages of any site may send each header of each revision", () =>
    Effect.gen(function* () {
      const app = yield* App
      const expectedHeaders = [
        "authorization",
        "content-type",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-session-id"
      ]
      const preflight = yield* app.call("OPTIONS", "/mcp", {
        headers: {
          origin: "https://assistant.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": [...expectedHeaders, "last-event-id"].join(",")
        }
      })
      const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").toLowerCase().split(/,\s*/)
      for (const name of [...expectedHeaders, "last-event-id"]) assert.include(allowed, name)
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "https://assistant.example")
    })
  )
})
