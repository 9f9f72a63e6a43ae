// Reads what a POST says: which kinds of body it sends and takes, and its messages, or the refusal that the MCP transport prescribes. A
// short body that came with its headers can be read before its caller is known.
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import Negotiator from "negotiator"
import { hasArrived, readText } from "../../platform/bounds/Body.ts"
import { mediaTypeOf } from "../../platform/primitives/mediaType.ts"
import type { StandardHeaders } from "./protocolRevisions.ts"
import { INVALID, PARSE, refusal } from "./refusal.ts"
import { maxBodyBytes, open } from "./rpcEnvelope.ts"

type Request = HttpServerRequest.HttpServerRequest

const notJson = refusal(415, INVALID, "Content-Type must be application/json.")
const notAcceptable = refusal(
  406,
  INVALID,
  "Answers are application/json or text/event-stream; the Accept header excludes both."
)

/** Clients must accept JSON and event streams; a wildcard, or either alone, is enough for us. */
export const acceptsType = (accept: string | undefined, type: "application/json" | "text/event-stream") =>
  accept === undefined || new Negotiator({ headers: { accept } }).mediaType([type]) !== undefined
export const acceptsJson = (header: string | undefined) => acceptsType(header, "application/json")

const statuses = { too_large: 413, too_slow: 408, encoded: 415, not_text: 400, broken: 400 } as const

const readBody = (request: Request) =>
  Effect.catch(readText(request, maxBodyBytes), ({ message, reason }) =>
    Effect.succeed(refusal(statuses[reason], reason === "broken" || reason === "not_text" ? PARSE : INVALID, message))
  )

export const standardHeaders = ({ headers }: Request): StandardHeaders => ({
  version: headers["mcp-protocol-version"],
  method: headers["mcp-method"],
  name: headers["mcp-name"]
})

export const openEnvelope = Effect.fnUntraced(function* (request: Request) {
  if (mediaTypeOf(request.headers["content-type"]) !== "application/json") return notJson
  const { accept } = request.headers
  if (!acceptsJson(accept) && !acceptsType(accept, "text/event-stream")) return notAcceptable
  const text = yield* readBody(request)
  return typeof text === "string" ? open(text, standardHeaders(request)) : text
})

/** Most bytes of a body that is read for a caller who may be nobody. */
const SHORT = 16 * 1024

/** Envelope of a short body that has arrived, or why it is refused; undefined if there is none, or none yet. */
export const openArrived = Effect.fnUntraced(function* (request: Request) {
  // The rest of what came in one piece with the headers is parsed in this turn of the event loop.
  yield* Effect.yieldNow
  return hasArrived(request, SHORT) ? yield* openEnvelope(request) : undefined
})
