// What the checks of a refresh look at; none of them changes it.
import type { Scope } from "../../../accounts/Scope.ts"
import type { Lifetime } from "../../../connections/Connection.ts"
import type { UserStanding } from "../../../connections/standing.ts"
import type { Client } from "../../clients/Client.ts"

/** A refresh token with its connection and the standing of its user. */
export interface HeldRefreshToken extends Lifetime, UserStanding {
  readonly connection_id: number
  readonly client_id: string
  readonly user_id: number
  readonly org_id: number
  readonly scopes: ReadonlyArray<Scope>
  readonly uses: number
  readonly first_used_on: Date | null
}

export interface Refresh {
  readonly client: Client
  readonly held: HeldRefreshToken
  /** The `scope` parameter taken apart; undefined when not sent. */
  readonly requested: ReadonlyArray<string> | undefined
  readonly now: number
}
