// A well-formed S256 challenge, unless the operator waived PKCE for a confidential client (service.md 2.2, 4.1).

import type { Check } from "../check.ts"
import { isChallenge } from "../pkce.ts"
import { refuse } from "../reasons.ts"
import type { TrustedRequest } from "./TrustedRequest.ts"

export const challenge: Check<TrustedRequest> = ({ client, params }) => {
  const codeChallenge = params.get("code_challenge")
  const method = params.get("code_challenge_method")
  if (codeChallenge === undefined && method === undefined && client.pkce_waived) return undefined
  return codeChallenge !== undefined && isChallenge(codeChallenge) && (method ?? "S256") === "S256"
    ? undefined
    : refuse("AUTHORIZE_PKCE_INVALID")
}
