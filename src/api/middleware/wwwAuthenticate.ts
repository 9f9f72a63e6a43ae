// The `WWW-Authenticate` headers of the protected resources (service.md 7.2, decisions O4; RFC 6750, RFC 9728).
import type { Scope } from "../../domain/accounts/Scope.ts"

const quoted = (text: string) => `"${text.replaceAll(/[\\"]/g, (c) => `\\${c}`)}"`

export const resourceMetadataUrl = (baseUrl: string) => `${baseUrl}/.well-known/oauth-protected-resource/v1`

/** 401 without any credential: no `error` member. */
export const noCredential = (metadata: string) => `Bearer resource_metadata=${quoted(metadata)}`

/** 401 for a credential that is not valid: one answer for all reasons. */
export const invalidToken = (metadata: string) =>
  `Bearer resource_metadata=${quoted(metadata)}, error="invalid_token", error_description="The access token is missing, expired, revoked or blocked."`

/** 403 step-up (service.md 4.2). */
export const insufficientScope = (metadata: string, missing: ReadonlyArray<Scope>) => {
  const scopes = missing.join(" ")
  return `Bearer error="insufficient_scope", error_description=${quoted(`Missing scope: ${scopes}`)}, scope=${quoted(scopes)}, resource_metadata=${quoted(metadata)}`
}
