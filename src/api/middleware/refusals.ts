// Refuses callers before the handler (developer-api.md 1.5, 1.7): 401 with its challenge, 403 for a scope.
import type { Scope } from "../../domain/accounts/Scope.ts"
import { errorResponse } from "./errorResponses.ts"
import * as challenge from "./wwwAuthenticate.ts"

/** @param metadata where the metadata of the protected resource are (RFC 9728) */
export const refusals = (metadata: string) => ({
  none: (endpoint: string) =>
    errorResponse(401, "dev_api_authentication", "Send a credential: Authorization: Bearer <token>.", endpoint, {
      "www-authenticate": challenge.noCredential(metadata)
    }),
  invalid: (endpoint: string) =>
    errorResponse(
      401,
      "dev_api_invalid_access_token",
      "The credential is invalid, expired, revoked or blocked.",
      endpoint,
      { "www-authenticate": challenge.invalidToken(metadata) }
    ),
  lacksScope: (endpoint: string, scope: Scope) =>
    errorResponse(403, "forbidden", `The credential lacks the scope ${scope}.`, endpoint, {
      "www-authenticate": challenge.insufficientScope(metadata, [scope])
    })
})
