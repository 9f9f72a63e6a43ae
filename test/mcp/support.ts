// A real server on loopback over the test's services, and the unmodified SDK client that talks to it.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { App } from "../support/app.ts"

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

/** A connected SDK client with a token that is known already. */
export const connectWith = (url: string, token: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1.0.0" })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      // The SDK's own class does not satisfy its interface under exactOptionalPropertyTypes.
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as never)
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )
