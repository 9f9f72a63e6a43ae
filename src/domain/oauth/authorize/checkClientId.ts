// Requires exactly one `client_id`; the caller looks up the client (service.md 7.1; decisions O6).
import { Result } from "effect"
import type { Params } from "../params.ts"
import { type OAuthRefused, refuse } from "../reasons.ts"

export const oneClientId = (params: Params): Result.Result<string, OAuthRefused> => {
  if (params.repeated.includes("client_id")) {
    return Result.fail(refuse("REQUEST_INVALID", { detail: "The parameter client_id is repeated" }))
  }
  const clientId = params.get("client_id")
  return clientId === undefined || params.malformed.includes("client_id")
    ? Result.fail(refuse("AUTHORIZE_CLIENT_INVALID"))
    : Result.succeed(clientId)
}
