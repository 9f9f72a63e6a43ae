// Headers and helpers that answers of OAuth endpoints and of pages share (decisions O10, O11, P5).
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"

export const noStore = { "cache-control": "no-store", pragma: "no-cache" } as const

/** The socket's address, or the sender that a trusted proxy names (decisions P5). */
export const sourceOf = (request: HttpServerRequest.HttpServerRequest): string | null =>
  Option.getOrNull(request.remoteAddress)
