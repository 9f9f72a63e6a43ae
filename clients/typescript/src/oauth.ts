// OAuth 2.1 for a client of the service (service.md 3): the address to send a person to, the exchange of the code, and an access token
// that is renewed when it ends.
import { addressAt } from "./address.ts"
import type { Credentials } from "./credentials.ts"
import { TransportError } from "./errors.ts"

export interface OAuthClient {
  readonly baseUrl: string
  readonly clientId: string
  /** Secret of a confidential client. */
  readonly clientSecret?: string
  readonly fetch?: typeof globalThis.fetch
}

export interface Tokens {
  readonly accessToken: string
  /** None for a client that may not renew. */
  readonly refreshToken?: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly scope?: string
}

/** The authorization server refused: `code` is that of RFC 6749, as `invalid_grant`. */
export class OAuthError extends Error {
  override readonly name = "OAuthError"
  readonly code: string

  constructor(code: string, description: string | undefined) {
    super(description ?? code)
    this.code = code
  }
}

/** Renewed so long before the end, lest a request comes too late. */
const EARLY_MILLIS = 30_000

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "")
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** Keep `verifier` and `state` with the person's session until they come back. */
export const authorization = async (
  { baseUrl, clientId }: Pick<OAuthClient, "baseUrl" | "clientId">,
  { redirectUri, scope }: { readonly redirectUri: string; readonly scope: ReadonlyArray<string> }
) => {
  const [verifier, state] = [random(), random()]
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))
  const url = addressAt(baseUrl, "/oauth/authorize")
  url.search = String(
    new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scope.join(" "),
      state,
      code_challenge: base64url(new Uint8Array(digest)),
      code_challenge_method: "S256"
    })
  )
  return { url, verifier, state }
}

/** RFC 6749 5.1 and 5.2. */
interface Answer {
  readonly access_token?: string
  readonly refresh_token?: string
  readonly expires_in?: number
  readonly scope?: string
  readonly error?: string
  readonly error_description?: string
}

const requestTokens = async (client: OAuthClient, parameters: Readonly<Record<string, string>>): Promise<Tokens> => {
  const { clientId, clientSecret, fetch = globalThis.fetch } = client
  const body = new URLSearchParams({
    ...parameters,
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret })
  })
  const nowMillis = Date.now()
  const response = await fetch(addressAt(client.baseUrl, "/oauth/token"), { method: "POST", body }).catch((cause) => {
    throw new TransportError(`POST /oauth/token: ${cause.message}`, { cause })
  })
  const answer = (await response.json().catch(() => ({}))) as Answer
  if (response.ok && typeof answer.access_token === "string")
    return {
      accessToken: answer.access_token,
      expiresAt: nowMillis + Number(answer.expires_in) * 1000,
      ...(answer.refresh_token === undefined ? {} : { refreshToken: answer.refresh_token }),
      ...(answer.scope === undefined ? {} : { scope: answer.scope })
    }
  if (typeof answer.error === "string") throw new OAuthError(answer.error, answer.error_description)
  throw new TransportError(`The answer ${response.status} is not the authorization server's`, {
    status: response.status
  })
}

/** Exchanges the authorization code of the redirect for tokens. @throws OAuthError, TransportError */
export const exchange = (
  client: OAuthClient,
  { code, redirectUri, verifier }: { readonly code: string; readonly redirectUri: string; readonly verifier: string }
) =>
  requestTokens(client, { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier })

/**
 * A token that is renewed before it ends, and when it is refused. Requests that find it over wait for one renewal.
 * @param saved called before new tokens are used: of a public client the former refresh token is worth nothing from then on
 */
export const oauth = (
  client: OAuthClient,
  tokens: Tokens,
  saved: (tokens: Tokens) => Promise<void> | void = () => {}
): Credentials => {
  let current = tokens
  let renewal: Promise<void> | undefined
  const renew = async () => {
    const { refreshToken } = current
    if (refreshToken === undefined) return
    const next = {
      refreshToken,
      ...(await requestTokens(client, { grant_type: "refresh_token", refresh_token: refreshToken }))
    }
    await saved(next)
    current = next
  }
  return {
    token: async (refused) => {
      const isStale =
        refused === undefined ? Date.now() > current.expiresAt - EARLY_MILLIS : refused === current.accessToken
      if (isStale) {
        renewal ??= renew().finally(() => {
          renewal = undefined
        })
        await renewal
      }
      return refused === current.accessToken ? null : current.accessToken
    }
  }
}
