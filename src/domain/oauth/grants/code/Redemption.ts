// What the checks of a code redemption look at; none of them changes it.
import type { Scope } from "../../../accounts/Scope.ts"
import type { Standing } from "../../../connections/standing.ts"
import type { Client } from "../../clients/Client.ts"

export interface Code {
  readonly client_id: string
  readonly user_id: number
  readonly org_id: number
  readonly redirect_uri: string
  readonly scopes: ReadonlyArray<Scope>
  readonly code_challenge: string | null
  readonly issued_on: Date
  /** Set once the code was used. */
  readonly connection_id: number | null
  /** Null while the client is not disabled. */
  readonly disabled_on: Date | null
}

/** A redemption whose code is known. */
export interface Redemption {
  readonly client: Client
  readonly code: Code
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
  /** How the user stands towards the client; undefined when the user is gone. */
  readonly standing: Standing | undefined
  readonly now: number
}
