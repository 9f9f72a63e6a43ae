// Answers of the MCP endpoint over HTTP: JSON-RPC results and refusals, and the challenges of service.md 4.2 and 7.2, which name the MCP
// server's own resource metadata.
import { HttpServerResponse } from "effect/http"
import { devApiError } from "../../api/middleware/errorBodies.ts"
import { type Budget, spentMessage } from "../../api/middleware/RateLimit.ts"
import * as challenge from "../../api/middleware/wwwAuthenticate.ts"
import type { Scope } from "../../domain/accounts/Scope.ts"
import type { Refusal } from "./refusal.ts"

type Response = HttpServerResponse.HttpServerResponse

const path = "/mcp"
const noStore = { "cache-control": "no-store" }

const metadataUrl = (mcpUrl: string) => `${mcpUrl}/.well-known/oauth-protected-resource/mcp`

const json = (body: unknown, status: number, headers: Record<string, string> = {}): Response =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { ...noStore, ...headers } })

interface ToolResult {
  readonly result?: {
    readonly content?: ReadonlyArray<{ readonly text?: string }>
    readonly structuredContent?: unknown
  }
}

/** JSON of a message. The structured content of a tool is what its text says (`answerOf` of call.ts), so that is not rendered again. */
const textOf = (message: ToolResult): string => {
  const { result } = message
  const text = result?.content?.[0]?.text
  if (result?.structuredContent === undefined || text === undefined) return JSON.stringify(message)
  // The quotes keep it apart from texts, in which they would be escaped.
  const placeholder = '"structuredContent":0'
  const frame = JSON.stringify({ ...message, result: { ...result, structuredContent: 0 } })
  return frame.replace(placeholder, () => placeholder.slice(0, -1) + text)
}

const writtenAll = (body: unknown): string =>
  Array.isArray(body) ? `[${body.map(textOf).join()}]` : textOf(body as ToolResult)

export const answered = (body: unknown, status: number): Response =>
  HttpServerResponse.text(writtenAll(body), { status, contentType: "application/json", headers: noStore })

/** Answer as the one event of a stream that ends (MCP transports: the server chooses between JSON and a stream). */
export const streamed = (body: unknown, status: number): Response =>
  HttpServerResponse.text(`event: message\ndata: ${writtenAll(body)}\n\n`, {
    status,
    contentType: "text/event-stream",
    headers: noStore
  })

/** Metadata may be kept for a few minutes. */
export const document = (body: unknown): Response => json(body, 200, { "cache-control": "public, max-age=300" })

/** Notifications and responses need no answer. */
export const accepted: Response = HttpServerResponse.empty({ status: 202, headers: noStore })

export const refused = (
  { status, code, message, data, id = null }: Refusal,
  headers: Record<string, string> = {}
): Response =>
  json({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } }, status, headers)

export const noCredential = (mcpUrl: string): Response =>
  json(devApiError(401, "dev_api_authentication", "Send a credential: Authorization: Bearer <token>.", path), 401, {
    "www-authenticate": challenge.noCredential(metadataUrl(mcpUrl))
  })

export const invalidToken = (mcpUrl: string): Response =>
  json(
    devApiError(401, "dev_api_invalid_access_token", "The credential is invalid, expired, revoked or blocked.", path),
    401,
    { "www-authenticate": challenge.invalidToken(metadataUrl(mcpUrl)) }
  )

/** The step-up of service.md 4.2. */
export const insufficientScope = (mcpUrl: string, scopes: ReadonlyArray<Scope>): Response => {
  const what = scopes.length === 1 ? `the scope ${scopes[0]}` : `the scopes ${scopes.join(", ")}`
  return json(devApiError(403, "forbidden", `The credential lacks ${what}.`, path), 403, {
    "www-authenticate": challenge.insufficientScope(metadataUrl(mcpUrl), scopes)
  })
}

export const tooManyRequests = (budget: Budget): Response =>
  json(devApiError(429, "too_many_requests", spentMessage(budget), path), 429, {
    "retry-after": String(budget.retryAfterSeconds)
  })
