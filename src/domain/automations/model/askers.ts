// Who brought something of their own into a run, answers, a payload, a record, an earlier definition (decisions A24): the run has its
// author's rights and no more than theirs. Kept with what the run knows of its trigger.
import { type Reach, readReach, type StoredReach, storedReach } from "../../accounts/Authority.ts"
import type { CallerShape } from "../../accounts/Caller.ts"

/** A user within the reach of the credential that they asked with. */
export interface Asker {
  readonly user_id: number
  readonly reach: StoredReach | null
}

/** Whoever acts as several people asks for all of them. */
export const askersOf = (caller: CallerShape): ReadonlyArray<Asker> =>
  (caller.standings ?? [caller]).map(({ selection, userId }) => ({
    user_id: userId,
    reach: storedReach({ scopes: caller.scopes, selection })
  }))

export const reachOfAsker = ({ reach, user_id }: Asker): { readonly userId: number; readonly reach: Reach } => ({
  userId: user_id,
  reach: readReach(reach)
})
