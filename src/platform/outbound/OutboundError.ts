// Closed list of outbound failures (decisions W9, issue "webhooks": errors by readable class).
import { Schema } from "effect"

export const OutboundReason = Schema.Literals([
  "invalid_url",
  "invalid_request",
  "port_refused",
  "address_refused",
  "dns_failed",
  "dns_unavailable",
  "connection_refused",
  "connection_reset",
  "connection_failed",
  "timeout",
  "tls_error",
  "too_large",
  "too_many_redirects",
  "protocol_error"
])
export type OutboundReason = typeof OutboundReason.Type

/** Reasons with which nothing was sent: a repeat cannot do harm. */
const unsent: ReadonlySet<OutboundReason> = new Set([
  "connection_refused",
  "connection_reset",
  "connection_failed",
  "dns_failed",
  "dns_unavailable"
])

/**
 * Failure of a request that got no usable answer. `message` is one readable line: host names and rules, never path, query, headers or body
 * of the request.
 */
export class OutboundError extends Schema.TaggedError<OutboundError>()("OutboundError", {
  reason: OutboundReason,
  message: Schema.String
}) {
  /** Text for logs that users read: the reason, and for TLS the problem of the certificate or handshake. */
  get label(): string {
    return this.reason === "tls_error" ? `tls_error: ${this.message}` : this.reason
  }

  /** True if no connection was established. */
  get unsent(): boolean {
    return unsent.has(this.reason)
  }

  /** True for a network failure or a time-out: a later attempt may succeed. */
  get mayPass(): boolean {
    return this.unsent || this.reason === "timeout"
  }
}

const byCode: Readonly<Record<string, OutboundReason>> = {
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  EHOSTUNREACH: "connection_failed",
  ENETUNREACH: "connection_failed",
  EADDRNOTAVAIL: "connection_failed",
  EACCES: "connection_failed",
  EMFILE: "connection_failed",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "protocol_error",
  UND_ERR_INVALID_ARG: "invalid_request",
  // Raised for headers that the client sets itself or does not support: Content-Length of another length, Expect.
  UND_ERR_NOT_SUPPORTED: "invalid_request",
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: "invalid_request",
  ENOTFOUND: "dns_failed",
  EAI_AGAIN: "dns_unavailable",
  ENODATA: "dns_failed"
}

/** Codes of OpenSSL and Node for a certificate or handshake that is not acceptable. */
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_CERT_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|CRL_|EPROTO$)/

const words = (code: string) =>
  code
    .replace(/^ERR_(TLS|SSL)_/, "")
    .replaceAll("_", " ")
    .toLowerCase()

/** Classifies errors that sockets, TLS and the HTTP parser throw. */
export const fromCause = (cause: unknown, host: string): OutboundError => {
  if (cause instanceof OutboundError) return cause
  const error = cause as { code?: unknown; errors?: ReadonlyArray<unknown>; cause?: unknown; name?: string }
  const nested = error?.errors?.[0] ?? (error?.code === undefined ? error?.cause : undefined)
  if (nested !== undefined && typeof error?.code !== "string") return fromCause(nested, host)
  const code = typeof error?.code === "string" ? error.code : ""
  if (tlsCode.test(code)) return new OutboundError({ reason: "tls_error", message: words(code) })
  const reason = byCode[code] ?? (error?.name === "HTTPParserError" ? "protocol_error" : "connection_failed")
  return new OutboundError({ reason, message: `${host}: ${reason.replaceAll("_", " ")}${code ? ` (${code})` : ""}` })
}
