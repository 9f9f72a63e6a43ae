// Users who brought data of their own into a run: answers, a payload, a record, an earlier definition (decisions A24). The run has its
// author's rights, limited to theirs. Stored with the run's trigger data.
import { type Reach, readReach, type StoredReach, storedReach } from "../../accounts/Authority.ts"
import type { CallerShape } from "../../accounts/Caller.ts"

/** User within the reach of the credential that they used. */
export interface Asker {
  readonly user_id: number
  readonly reach: StoredReach | null
}

/** Returns the users for whom a caller acts; the run is limited by the rights of all of them. */
export const askersOf = (caller: CallerShape): ReadonlyArray<Asker> =>
  (caller.standings ?? [caller]).map(({ selection, userId }) => ({
    user_id: userId,
    reach: storedReach({ scopes: caller.scopes, selection })
  }))

export const reachOfAsker = ({ reach, user_id }: Asker): { readonly userId: number; readonly reach: Reach } => ({
  userId: user_id,
  reach: readReach(reach)
})
