// Serves content that is the same for every caller until the next release: made once, kept in memory, with an ETag (RFC 9110 8.8.3,
// 13.1.2).
import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"

/** A body with its ETag. */
export interface CachedContent {
  readonly body: Uint8Array
  readonly etag: string
}

export const cacheContent = (value: unknown): CachedContent => {
  const body =
    value instanceof Uint8Array ? value : Buffer.from(typeof value === "string" ? value : JSON.stringify(value))
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` }
}

export const once = <A>(make: () => A): (() => A) => {
  let value: A | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** Responds 200 with the body, or 304 when the caller has it already. */
export const answerCached = (
  { body, etag }: CachedContent,
  ifNoneMatch: string | undefined,
  contentType = "application/json",
  cacheControl = "public, max-age=3600"
) => {
  const headers = { etag, "cache-control": cacheControl }
  const knownTags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  return knownTags?.some((tag) => tag === etag || tag === "*") === true
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(body, { headers, contentType })
}
