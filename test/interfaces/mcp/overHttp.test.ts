// A tool answers what the API answers over HTTP (developer-api.md 1.5, 2.4): drawn calls of both, compared by the byte.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { harbor, post } from "./support.ts"

/** A sequence that its seed decides. */
const drawerOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const texts = [
  "Tern",
  'say "structuredContent":0',
  "\\",
  "line\nbreak",
  "größer",
  "🚢",
  "$& $1",
  "</script>",
  " ",
  "x".repeat(3_999)
]

layer(appLayer(), { excludeTestServices: true })("MCP and HTTP", (it) => {
  it.effect("say the same of drawn reads and filters, by the byte", () =>
    Effect.gen(function* () {
      const draw = drawerOf(47)
      const { call } = yield* App
      const { appId, fields, owner, token } = yield* harbor
      const [reference, weight] = fields
      const recordIds: Array<number> = []
      for (const [i, text] of texts.entries()) {
        const { json } = yield* call("POST", `/v1/record/app/${appId}`, {
          token,
          body: { fields: { reference: text.slice(0, 200), weight: i % 3, notes: text } }
        })
        recordIds.push(json.record_id)
      }
      const narrow = yield* seedToken(owner.userId, ["apps:read"])
      const filtersOf = (value: number) => [
        { field_id: weight.field_id, type: "number", match_type: "larger_or_equal", values: [{ value }] }
      ]
      const drawCall = () => {
        const record_id = draw(5) === 0 ? 900_000 + draw(9) : recordIds[draw(recordIds.length)]!
        // No cursor: it says until when it holds.
        const limit = texts.length + draw(5)
        const sort_by = draw(2) === 0 ? (reference.external_id ?? reference.slug) : "created_on"
        const filters = filtersOf(draw(4))
        return [
          { tool: "read_record", args: { record_id }, http: ["GET", `/v1/record/${record_id}`] },
          { tool: "describe_app", args: { app_id: appId }, http: ["GET", `/v1/app/${appId}`] },
          {
            tool: "search_records",
            args: { app_id: appId, filters, limit, sort_by },
            http: ["POST", `/v1/record/filter/app/${appId}?limit=${limit}&sort_by=${sort_by}`],
            body: { filters }
          }
        ][draw(3)]!
      }
      let successes = 0
      for (let i = 0; i < 60; i++) {
        const { args, body, http, tool } = drawCall()
        const used = draw(8) === 0 ? narrow : token
        const id = draw(1_000)
        const message = { jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: args } }
        const mcp = yield* post(message, { token: used })
        const httpAnswer = yield* call(http[0] as "GET", http[1]!, {
          token: used,
          ...(body === undefined ? {} : { body })
        })
        assert.strictEqual(mcp.json === undefined, false, mcp.text)
        if (httpAnswer.status !== 200) {
          const toolText = mcp.json.error_message ?? mcp.json.result.content[0].text
          assert.include(
            toolText,
            httpAnswer.status === 403 ? "scope" : `${httpAnswer.json.error_code}: ${httpAnswer.json.error_message}`
          )
          continue
        }
        successes++
        // The whole message: the answer of the API as it stands, and once more as a text.
        assert.strictEqual(
          mcp.text,
          `{"result":{"content":[{"type":"text","text":${JSON.stringify(httpAnswer.text)}}],"structuredContent":${httpAnswer.text}},"jsonrpc":"2.0","id":${id}}`
        )
      }
      assert.isAbove(successes, 20)
    })
  )

  it.effect(
    "answer the requests of a batch in their order, and none of a batch with a message that is no request",
    () =>
      Effect.gen(function* () {
        const { token } = yield* harbor
        const refusal = {
          jsonrpc: "2.0",
          error: { code: -32700, message: "Parse error: Invalid JSON-RPC message" },
          id: null
        }
        const stray = { jsonrpc: "2.0", id: 1, method: "ping", stray: 1 }
        const headers = { "mcp-protocol-version": "2025-03-26" }
        // A version that only we take for one, so that only the transport looks at the message.
        const odd = { "mcp-protocol-version": "2025-03-26\u00a0" }
        const ping = { jsonrpc: "2.0", id: 2, method: "ping" }
        const strayAnswer = yield* post(stray, { token, headers: odd })
        assert.deepStrictEqual([strayAnswer.status, strayAnswer.json], [400, refusal])
        const batch = yield* post([ping, stray], { token, headers: odd })
        assert.deepStrictEqual([batch.status, batch.json], [400, [refusal]])
        const pings = yield* post([ping, { ...ping, id: "2" }], { token, headers })
        assert.strictEqual(pings.text, '[{"result":{},"jsonrpc":"2.0","id":2},{"result":{},"jsonrpc":"2.0","id":"2"}]')
      })
  )
})
