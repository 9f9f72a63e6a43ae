// The answer of the token endpoint (service.md 2.4).
import type { Scope } from "../../accounts/Scope.ts"

export interface TokenResponse {
  readonly access_token: string
  readonly token_type: "Bearer"
  /** Seconds, at most 3600; fewer when the connection ends sooner. */
  readonly expires_in: number
  readonly refresh_token?: string
  readonly scope: string
  readonly svc_user_id: number
  readonly svc_organization_id: number
}

export const tokenResponse = (issued: {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly expiresAt: number
  readonly now: number
  readonly scopes: ReadonlyArray<Scope>
  readonly userId: number
  readonly orgId: number
}): TokenResponse => ({
  access_token: issued.accessToken,
  token_type: "Bearer",
  expires_in: Math.max(0, Math.floor((issued.expiresAt - issued.now) / 1000)),
  ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
  scope: issued.scopes.join(" "),
  svc_user_id: issued.userId,
  svc_organization_id: issued.orgId
})
