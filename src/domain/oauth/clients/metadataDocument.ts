// Client ID metadata documents: allowed URLs, required members, lifetime in the cache (service.md 2.2; decisions O7).
import { Result, Schema } from "effect"
import { bounds } from "../../../platform/bounds/Bounds.ts"
import { line, list } from "../../../platform/bounds/sized.ts"
import { limits } from "../../connections/oauthLimits.ts"
import { redirectUrisFault } from "../redirectUri.ts"
import type { DocumentRegistration } from "./Clients.ts"
import { registeredName } from "./clientNames.ts"

export const looksLikeDocument = (clientId: string): boolean => /^https?:\/\//i.test(clientId)

/** `https` with a path, written as URLs are written, without fragment, user info or dot segments. */
export const documentUrlFault = (clientId: string): string | undefined => {
  if (!URL.canParse(clientId) || clientId.length > limits.redirectUriLength) return "is not a URL"
  const url = new URL(clientId)
  if (url.protocol !== "https:") return "must use https"
  if (clientId.includes("#")) return "must not have a fragment"
  if (url.username !== "" || url.password !== "" || /^https:\/\/[^/?]*@/i.test(clientId))
    return "must not have user info"
  if (!/^https:\/\/[^/?]+\//i.test(clientId)) return "must have a path"
  if (/\/(\.|%2e){1,2}(\/|$|\?)/i.test(clientId)) return "must not have dot segments"
  if (url.href !== clientId) return "must be written in its normal form"
  return undefined
}

export const Document = Schema.Struct({
  client_id: line,
  client_name: Schema.optionalKey(line),
  token_endpoint_auth_method: Schema.optionalKey(line),
  token_endpoint_auth_methods_supported: Schema.optionalKey(list(line, 200))
})
const decodeDocument = Schema.decodeUnknownResult(Document)
const lookAtDocument = bounds(Document)

export const parseDocument = (
  url: string,
  text: string
): Result.Result<Omit<DocumentRegistration, "freshUntilMillis">, string> => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return Result.fail("is not JSON")
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) return Result.fail("is not a JSON object")
  const sentMembers = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  if (lookAtDocument(sentMembers) !== undefined) return Result.fail("has members that are too large")
  const decoded = decodeDocument(sentMembers)
  if (Result.isFailure(decoded)) return Result.fail("has members of the wrong type")
  const document = decoded.success
  if (document.client_id !== url) return Result.fail("names another client_id")
  if ("client_secret" in sentMembers || "client_secret_expires_at" in sentMembers)
    return Result.fail("holds a client secret")
  const method = document.token_endpoint_auth_method ?? "none"
  if (method !== "none" && document.token_endpoint_auth_methods_supported?.includes("none") !== true) {
    return Result.fail("does not list the authentication method none")
  }
  const fault = redirectUrisFault(sentMembers["redirect_uris"])
  if (fault !== undefined) return Result.fail(`is invalid: ${fault}`)
  const name = registeredName(document.client_name)
  if (name === undefined) return Result.fail("has a client_name without a visible character")
  return Result.succeed({
    url,
    name,
    redirectUris: [...new Set(sentMembers["redirect_uris"] as ReadonlyArray<string>)],
    metadata: {}
  })
}

/** Milliseconds that the response's headers allow caching, between 5 minutes and 24 hours. */
export const freshMillis = (headers: Readonly<Record<string, string>>): number => {
  const control = (headers["cache-control"] ?? "").toLowerCase()
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/.exec(control)?.[1]
  const expires = Date.parse(headers["expires"] ?? "") - Date.parse(headers["date"] ?? "")
  const allowed = /no-store|no-cache/.test(control)
    ? 0
    : seconds !== undefined
      ? (Number(seconds) - (Number(headers["age"] ?? 0) || 0)) * 1000
      : Number.isNaN(expires)
        ? 0
        : expires
  return Math.min(Math.max(allowed, limits.documentMinFreshMillis), limits.documentMaxFreshMillis)
}
