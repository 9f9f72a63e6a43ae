// The checks of a refresh in the order of service.md 7.1; the first that refuses counts.
import type { OAuthRefused } from "../../reasons.ts"
import { grantActive } from "./grantActive.ts"
import { notReplayed } from "./notReplayed.ts"
import { ofClient } from "./ofClient.ts"
import type { Check, Refresh } from "./Refresh.ts"
import { scopeHeld } from "./scopeHeld.ts"

const checks: ReadonlyArray<Check> = [ofClient, grantActive, scopeHeld, notReplayed]

export const checkRefresh = (refresh: Refresh): OAuthRefused | undefined => {
  for (const check of checks) {
    const refused = check(refresh)
    if (refused !== undefined) return refused
  }
  return undefined
}
