// A public client's used token may be sent again three times within 30 seconds of its first use (service.md 3.2, 8; decisions O2).

import { limits } from "../../../connections/oauthLimits.ts"
import type { Check } from "../../check.ts"
import { isConfidential } from "../../clients/Client.ts"
import { refuse } from "../../reasons.ts"
import type { Refresh } from "./Refresh.ts"

/** The first use and the re-sends. */
const usesAllowed = 1 + limits.resendsAllowed

export const notReplayed: Check<Refresh> = ({ client, held, now }) => {
  if (isConfidential(client) || held.first_used_on === null) return undefined
  const inGrace = now - held.first_used_on.getTime() <= limits.resendGraceMillis
  return inGrace && held.uses < usesAllowed
    ? undefined
    : refuse("TOKEN_REFRESH_REPLAYED", { connectionId: held.connection_id })
}
