// JSON-RPC and tool calls to the endpoint in memory, and an app to call them on.
import { createRequire } from "node:module"
import { assert } from "@effect/vitest"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { tools } from "../../../src/interfaces/mcp/tools/registry.ts"
import { App } from "../../support/app.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

const { default: Ajv } = createRequire(import.meta.url)("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js")
export const ajv = new Ajv({ strict: false })

export interface RpcOptions {
  readonly token?: string
  readonly headers?: Record<string, string>
}

/** POSTs a JSON-RPC message, or any text, to the endpoint in memory. */
export const post = Effect.fnUntraced(function* (body: unknown, { token, headers = {} }: RpcOptions = {}) {
  const app = yield* App
  return yield* app.call("POST", "/mcp", {
    body,
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25", ...headers },
    ...(token === undefined ? {} : { token })
  })
})

let counter = 0
export const rpc = (method: string, params: unknown = {}, options: RpcOptions = {}) =>
  post({ jsonrpc: "2.0", id: ++counter, method, params }, options)

/** A tool's result as JSON-RPC gives it. */
export const callTool = Effect.fnUntraced(function* (token: string, name: string, args: object = {}) {
  const reply = yield* rpc("tools/call", { name, arguments: args }, { token })
  return reply.json?.result as CallToolResult
})

/** Calls a tool that has to succeed; its answer fits its own output schema. */
export const ok = Effect.fnUntraced(function* (token: string, name: string, args: object = {}) {
  const result = yield* callTool(token, name, args)
  assert.isUndefined(result.isError, `${name}: ${JSON.stringify(result.content)}`)
  const validate = ajv.compile(tools.get(name)!.outputSchema)
  assert.isTrue(validate(result.structuredContent), `${name}: ${JSON.stringify(validate.errors)}`)
  assert.deepStrictEqual(JSON.parse((result.content[0] as any).text), result.structuredContent)
  return result.structuredContent as any
})

/** Calls a tool that has to fail; what it says. */
export const fails = Effect.fnUntraced(function* (token: string, name: string, args: object = {}) {
  const result = yield* callTool(token, name, args)
  assert.isTrue(result.isError, name)
  assert.isUndefined(result.structuredContent)
  return (result.content[0] as any).text as string
})

/** An organization with an app, as its owner. */
export const harbor = Effect.gen(function* () {
  const { owner, workspaceId } = yield* seedWorkspace
  const app = yield* createApp(owner, workspaceId, [
    field("single_text", "Reference"),
    field("number", "Weight"),
    field("multi_text", "Notes")
  ])
  return { owner, token: owner.key, workspaceId, appId: app.app_id as number, fields: app.fields as Array<any> }
})
