// Input of the checks of a refresh; no check changes it.
import { Schema } from "effect"
import { Scope } from "../../../accounts/Scope.ts"
import { Lifetime } from "../../../connections/Connection.ts"
import { UserStanding } from "../../../connections/connectPermission.ts"
import type { Client } from "../../clients/Client.ts"

/** A refresh token with its connection and the standing of its user. */
const HeldRefreshToken = Schema.Struct({
  ...Lifetime.fields,
  ...UserStanding.fields,
  connection_id: Schema.Int,
  client_id: Schema.String,
  user_id: Schema.Int,
  org_id: Schema.Int,
  scopes: Schema.Array(Scope),
  uses: Schema.Int,
  first_used_on: Schema.NullOr(Schema.Date)
})
export type HeldRefreshToken = typeof HeldRefreshToken.Type

/** Row of a statement for several refreshes; `place` is the position of its refresh among them. */
export const FoundRefreshToken = Schema.Struct({ ...HeldRefreshToken.fields, place: Schema.Int })

export interface Refresh {
  readonly client: Client
  readonly held: HeldRefreshToken
  /** The `scope` parameter taken apart; undefined when not sent. */
  readonly requested: ReadonlyArray<string> | undefined
  readonly now: number
}
