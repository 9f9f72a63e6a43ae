// The checks of a code redemption in the order of decisions O1; the first that refuses counts.
import { Result } from "effect"
import type { OAuthRefused } from "../../reasons.ts"
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
    if (refused !== undefined) return Result.fail(refused)
  }
  return Result.succeed(found)
}
