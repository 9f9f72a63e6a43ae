// Input of the checks of a code redemption; no check changes it.
import { Schema } from "effect"
import { Scope } from "../../../accounts/Scope.ts"
import type { UserStanding } from "../../../connections/connectPermission.ts"
import type { Client } from "../../clients/Client.ts"

export const IssuedCode = Schema.Struct({
  client_id: Schema.String,
  user_id: Schema.Int,
  org_id: Schema.Int,
  redirect_uri: Schema.String,
  scopes: Schema.Array(Scope),
  code_challenge: Schema.NullOr(Schema.String),
  issued_on: Schema.Date,
  /** Set once the code was used. */
  connection_id: Schema.NullOr(Schema.Int),
  /** Null while the client is not disabled. */
  disabled_on: Schema.NullOr(Schema.Date)
})
export interface IssuedCode extends Schema.Schema.Type<typeof IssuedCode> {}

/** A redemption whose code is known. */
export interface Redemption {
  readonly client: Client
  readonly code: IssuedCode
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
  /** Standing of the user towards the client; undefined if the user no longer exists. */
  readonly standing: UserStanding | undefined
  readonly now: number
}
