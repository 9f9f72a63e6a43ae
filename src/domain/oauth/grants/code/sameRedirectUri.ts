// `redirect_uri` is optional, but equals the authorization request's exactly; a code without PKCE requires it (service.md 2.2, 4.1).
import type { Check } from "../../check.ts"
import { refuse } from "../../reasons.ts"
import type { Redemption } from "./Redemption.ts"

export const sameRedirectUri: Check<Redemption> = ({ code, redirectUri }) => {
  const same = redirectUri === undefined ? code.code_challenge !== null : redirectUri === code.redirect_uri
  return same ? undefined : refuse("TOKEN_CODE_BINDING_MISMATCH")
}
