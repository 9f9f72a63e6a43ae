// What the checks of a code redemption look at; none of them changes it.
import type { Scope } from "../../../accounts/Scope.ts"
import type { Standing } from "../../../connections/standing.ts"
import type { Client } from "../../clients/Client.ts"
import type { OAuthRefused } from "../../reasons.ts"

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

export interface Redemption {
  readonly client: Client
  /** Undefined when no such code is stored. */
  readonly code: Code | undefined
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
  /** How the user stands towards the client; undefined without a code. */
  readonly standing: Standing | undefined
  readonly now: number
}

/** A redemption whose code is known. */
export interface KnownRedemption extends Redemption {
  readonly code: Code
}

export type Check = (redemption: KnownRedemption) => OAuthRefused | undefined
