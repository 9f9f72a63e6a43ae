// Requests of revision 2026-07-28: each with its `_meta`, and headers that repeat what the body says.
import { post } from "./support.ts"

export const revision = "2026-07-28"

export const metaOf = (version: string, capabilities: object = {}) => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": capabilities
})

export const message = (method: string, params: object = {}, version = revision) => ({
  jsonrpc: "2.0",
  id: `${method}-1`,
  method,
  params: { ...params, _meta: metaOf(version) }
})

export interface Names {
  readonly name?: string
  readonly uri?: string
  readonly taskId?: string
}

export const headersOf = (method: string, { name, taskId, uri }: Names) => {
  const mirrored = name ?? uri ?? taskId
  return {
    "mcp-protocol-version": revision,
    "mcp-method": method,
    ...(mirrored === undefined ? {} : { "mcp-name": mirrored })
  }
}

export const ask = (token: string, method: string, params: Names & Record<string, unknown> = {}, headers = {}) =>
  post(message(method, params), { token, headers: { ...headersOf(method, params), ...headers } })

/** The same of a client that can do more. */
export const askAs =
  (capabilities: object) =>
  (token: string, method: string, params: Names & Record<string, unknown> = {}, headers = {}) =>
    post(
      { ...message(method), params: { ...params, _meta: metaOf(revision, capabilities) } },
      { token, headers: { ...headersOf(method, params), ...headers } }
    )
