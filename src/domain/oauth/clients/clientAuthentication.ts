// Client authentication: reads the client that a request claims to be, and the one method by which it proves it (service.md 5.4; RFC 6749
// 2.3.1; decisions O18); judges the proof by the client's kind: confidential clients, and only they, must present their secret (service.md 2.2).
import { timingSafeEqual } from "node:crypto"
import { Result } from "effect"
import { hashToken } from "../../../platform/sealing/Secrets.ts"
import type { Params } from "../params.ts"
import { type OAuthRefused, refuse } from "../reasons.ts"
import type { Client } from "./Client.ts"

export interface ClientCredentials {
  readonly method: "client_secret_basic" | "client_secret_post" | "none"
  readonly clientId: string
  readonly secret: string | null
}

const failed = (detail: string) => Result.fail(refuse("CLIENT_AUTH_FAILED", { detail }))
const ambiguous = Result.fail(refuse("CLIENT_AUTH_AMBIGUOUS"))

const formDecode = (half: string): string | undefined => {
  try {
    return decodeURIComponent(half.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** Both halves of a Basic header, each form-encoded as RFC 6749 2.3.1 wants. */
const parseBasic = (header: string): { readonly id: string; readonly secret: string } | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, "base64").toString("utf8")
  const colon = text.indexOf(":")
  const id = formDecode(text.slice(0, Math.max(colon, 0)))
  const secret = formDecode(text.slice(colon + 1))
  if (colon < 1 || !id || secret === undefined || id.includes("\0")) return undefined
  return { id, secret }
}

/** The one method that was used; more than one is ambiguous, Basic with its own `client_id` in the body is one. */
export const claimedBy = (
  authorization: string | undefined,
  params: Params
): Result.Result<ClientCredentials, OAuthRefused> => {
  const clientId = params.get("client_id")
  const secret = params.get("client_secret")
  const assertion = params.get("client_assertion") !== undefined || params.get("client_assertion_type") !== undefined
  const methods = [authorization !== undefined, secret !== undefined, assertion].filter(Boolean).length
  if (methods > 1) return ambiguous
  if (assertion) return failed("Client assertions are not supported")
  if (authorization !== undefined) {
    const basic = parseBasic(authorization)
    if (basic === undefined) return failed("The Authorization header is not a usable Basic credential")
    if (clientId !== undefined && clientId !== basic.id) return ambiguous
    return Result.succeed({ method: "client_secret_basic", clientId: basic.id, secret: basic.secret })
  }
  if (clientId === undefined) return failed("The client_id is missing")
  return Result.succeed({
    method: secret === undefined ? "none" : "client_secret_post",
    clientId,
    secret: secret ?? null
  })
}

const proves = (given: ClientCredentials, { secret_hash }: Client) => {
  if (secret_hash === null) return given.method === "none"
  return given.secret !== null && timingSafeEqual(hashToken(given.secret), secret_hash)
}

/**
 * Refusal of a client that is not the one it claims to be; every cause gives the same response. `client` is undefined if unknown or gone.
 */
export const authenticationFault = (client: Client | undefined, given: ClientCredentials): OAuthRefused | undefined => {
  const proven = client !== undefined && proves(given, client)
  return proven ? undefined : refuse("CLIENT_AUTH_FAILED", { clientId: given.clientId })
}
