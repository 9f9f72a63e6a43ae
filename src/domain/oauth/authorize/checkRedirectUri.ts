// Exactly one `redirect_uri`, and a registered one; required even when only one is registered (service.md 4.1; decisions O5, O6).
// What was registered under earlier rules has to stand up to those of today (O24).
import { Result } from "effect"
import type { Client } from "../clients/Client.ts"
import type { Params } from "../params.ts"
import { type OAuthRefused, refuse } from "../reasons.ts"
import { matchesRegistered, redirectUriFault } from "../redirectUri.ts"

export const oneRedirectUri = (params: Params): Result.Result<string, OAuthRefused> => {
  if (params.repeated.includes("redirect_uri")) {
    return Result.fail(refuse("REQUEST_INVALID", { detail: "The parameter redirect_uri is repeated" }))
  }
  const redirectUri = params.get("redirect_uri")
  return redirectUri === undefined || params.malformed.includes("redirect_uri")
    ? Result.fail(refuse("AUTHORIZE_REDIRECT_URI_INVALID"))
    : Result.succeed(redirectUri)
}

export const registeredRedirectUri = (client: Client, redirectUri: string): OAuthRefused | undefined => {
  const clientId = client.client_id
  if (!matchesRegistered(redirectUri, client.redirect_uris))
    return refuse("AUTHORIZE_REDIRECT_URI_INVALID", { clientId })
  const fault = redirectUriFault(redirectUri)
  if (fault === undefined) return undefined
  return refuse("AUTHORIZE_REDIRECT_URI_INVALID", { clientId, detail: `The redirect_uri ${fault}` })
}
