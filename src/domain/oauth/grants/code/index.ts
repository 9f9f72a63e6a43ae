// The checks of a code redemption in the order of decisions O1; the first that refuses counts.
import { Result } from "effect"
import { type OAuthRefused, refuse } from "../../reasons.ts"
import { issuedToClient } from "./issuedToClient.ts"
import { known } from "./known.ts"
import { mayConnect } from "./mayConnect.ts"
import type { Check, KnownRedemption, Redemption } from "./Redemption.ts"
import { sameRedirectUri } from "./sameRedirectUri.ts"
import { unused } from "./unused.ts"
import { verifierFits } from "./verifier.ts"

const checks: ReadonlyArray<Check> = [issuedToClient, unused, sameRedirectUri, verifierFits, mayConnect]

export const checkRedemption = (redemption: Redemption): Result.Result<KnownRedemption, OAuthRefused> => {
  const { code } = redemption
  const unknown = known(code, redemption.now)
  if (unknown !== undefined || code === undefined) return Result.fail(unknown!)
  const found = { ...redemption, code }
  for (const check of checks) {
    const refused = check(found)
    // Whose code it is stands in the audit log.
    if (refused !== undefined) {
      const { connectionId, reasonId } = refused
      const of = { userId: code.user_id, orgId: code.org_id }
      return Result.fail(refuse(reasonId, connectionId === undefined ? of : { ...of, connectionId }))
    }
  }
  return Result.succeed(found)
}
