// Answers of an inbound address (developer-api.md 7.9), under our origin and never with its rights: empty objects, refusals, and answers
// that the author of its automation has composed.
import { HttpServerResponse } from "effect/http"
import { devApiError } from "../../api/middleware/errorBodies.ts"
import type { SenderRefused } from "../../domain/automations/inbound/InboundProofs.ts"
import type { RunAnswer } from "../../domain/automations/requests/RunOutcomes.ts"
import { isXmlType, mediaTypeOf } from "../../platform/primitives/mediaType.ts"
import { attachmentNamed } from "../../platform/text/attachmentNamed.ts"

export const guarded = { "content-security-policy": "default-src 'none'; sandbox" }

const empty = (status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.jsonUnsafe({}, { status, headers: { ...guarded, ...headers } })

const ALLOW = "GET, HEAD, POST, PUT, OPTIONS"
const bare = (status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.empty({ status, headers: { ...headers, ...guarded } })

export const mismatch = bare(204)
/** The delivery is stored; its run is not waited for, or not over in time. */
export const deliveryStored = empty(202)
export const runFailed = empty(500)
/** Somebody looks whether the address is there, as some senders do before they register it: no delivery (RFC 9110 9.3.2). */
export const addressExists = bare(200, { allow: ALLOW })
export const notAllowed = bare(405, { allow: ALLOW })

/**
 * Answers OPTIONS with the allowed methods, and grants permission to senders that ask for it as CloudEvents senders do (HTTP Webhook 1.0,
 * 4).
 */
export const options = (origin: string | undefined) =>
  bare(204, { allow: ALLOW, ...(origin === undefined ? {} : { "webhook-allowed-origin": origin }) })

/** The sender is not who may send (RFC 9110 15.5.2). */
export const unproven = ({ message, scheme }: SenderRefused, path: string) =>
  HttpServerResponse.jsonUnsafe(devApiError(401, "dev_api_authentication", message, path), {
    status: 401,
    headers: { ...guarded, ...(scheme === undefined ? {} : { "www-authenticate": `${scheme} realm="webhook"` }) }
  })

/** Answers a challenge that a sender poses before it sends. */
export const challenged = (text: string) => HttpServerResponse.text(text, { headers: guarded })
export const challengedInJson = (answer: object) => HttpServerResponse.jsonUnsafe(answer, { headers: guarded })

const AWAY_SECONDS = 60

/** Asks the sender to retry: no sender can be verified at the moment. */
export const keysAway = empty(503, { "retry-after": String(AWAY_SECONDS) })

/** Answers for an automation that is not active: nothing is stored, and no run will answer a waiting sender (A23). */
export const closed = (sync: boolean, more: Record<string, string> = {}) =>
  sync ? empty(503, { "retry-after": String(AWAY_SECONDS), ...more }) : empty(202, more)

/** The body's coding is not supported (RFC 9110 15.5.16). */
export const notUnpacked = (message: string, accepted: string, path: string) =>
  HttpServerResponse.jsonUnsafe(devApiError(415, "invalid_request", message, path), {
    status: 415,
    headers: { ...guarded, "accept-encoding": accepted }
  })

/** The type as its author wrote it, with the charset in which texts are sent: without one browsers guess. JSON has none (RFC 8259 11). */
const typeInUtf8 = (declared: string): string => {
  const type = mediaTypeOf(declared)
  const named = /;\s*charset\s*=\s*(?:"[^"]*"|[^;]*)/i
  if (named.test(declared)) return declared.replace(named, "; charset=utf-8")
  return type.startsWith("text/") || isXmlType(type) ? `${declared}; charset=utf-8` : declared
}

/** Statuses that carry no body (RFC 9110 15). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** Text answer of the author, marked as UTF-8. */
const composed = (text: string, status: number, contentType: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(text, { status, contentType: typeInUtf8(contentType), headers: { ...headers, ...guarded } })

type Bytes = Parameters<typeof HttpServerResponse.stream>[0]

/** Answer that the run has composed. Its headers never override those that guard our origin. */
export const answerOfRun = (
  { body, headers, status }: RunAnswer,
  file?: { readonly name: string; readonly mimetype: string; readonly size: number; readonly content: Bytes }
) => {
  const { "content-type": type, ...more } = headers
  if (bodiless.has(status) || more["location"] !== undefined) return bare(status, more)
  if (file === undefined) return composed(body, status, type ?? "application/json", more)
  return HttpServerResponse.stream(file.content, {
    status,
    contentType: type ?? file.mimetype,
    contentLength: file.size,
    headers: { "content-disposition": attachmentNamed(file.name), ...more, ...guarded }
  })
}
