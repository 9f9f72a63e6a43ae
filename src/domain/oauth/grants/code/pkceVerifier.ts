// A verifier exactly when there was a challenge, and the right one (service.md 7.1; decisions O18; RFC 9700 2.1.1).

import type { Check } from "../../check.ts"
import { verifies } from "../../pkce.ts"
import { refuse } from "../../reasons.ts"
import type { Redemption } from "./Redemption.ts"

export const verifierFits: Check<Redemption> = ({ code, verifier }) => {
  if ((verifier === undefined) !== (code.code_challenge === null)) return refuse("TOKEN_PKCE_VERIFIER_PRESENCE")
  if (verifier === undefined || code.code_challenge === null) return undefined
  return verifies(verifier, code.code_challenge) ? undefined : refuse("TOKEN_PKCE_VERIFIER_MISMATCH")
}
