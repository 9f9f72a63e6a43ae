// Which addresses pages of other origins may call, and with what (developer-api.md 1.1, decisions O11, O26). Never with cookies.
import { HttpMiddleware, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { hostAllowed, originAllowed } from "../mcp/callGuard.ts"

const paths = /^\/(?:v1(?:\/|$)|mcp(?:\/|$)|oauth\/(?:token|revoke|register)$|\.well-known\/|openapi\.json$)/

const mcpPath = /^\/mcp(?:\/|$)/

/** True if pages of other origins may call the path. */
export const isOpen = (path: string): boolean => paths.test(path)

export const cors = HttpMiddleware.cors({
  allowedOrigins: () => true,
  allowedMethods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
  allowedHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "Last-Event-ID",
    "Prefer",
    "X-MCP-Toolsets",
    "X-MCP-Readonly"
  ],
  exposedHeaders: [
    "WWW-Authenticate",
    "X-RateLimit-Limit",
    "X-Retry-Remaining",
    "X-Retry-Cost",
    "X-Retry-Reset",
    "Retry-After",
    "X-Request-Id",
    "ETag",
    "Idempotency-Replayed",
    "Preference-Applied",
    "Mcp-Session-Id"
  ],
  credentials: false,
  maxAge: 600
})

/**
 * True if the answer goes to another origin. A preflight at the MCP server is judged as the request would be: a request that the endpoint
 * refuses gets the endpoint's own answer.
 */
export const makeIsForeign = ({ baseUrl, mcpUrl }: { readonly baseUrl: string; readonly mcpUrl: string }) => {
  const ownOrigins = [mcpUrl, baseUrl]
  return ({ headers, method }: HttpServerRequest.HttpServerRequest, path: string): boolean => {
    const { host, origin } = headers
    if (method !== "OPTIONS" && origin === undefined) return false
    return !mcpPath.test(path) || (hostAllowed(host, mcpUrl) && originAllowed(origin, ownOrigins))
  }
}

/** Every answer under a path that is open to other origins depends on the request's, for caches. */
export const varies = (response: HttpServerResponse.HttpServerResponse) => {
  const ownVary = response.headers["vary"]
  return ownVary === undefined
    ? "Origin"
    : /(?:^|[\s,])origin(?:$|[\s,])/i.test(ownVary)
      ? ownVary
      : `${ownVary}, Origin`
}
