// Who acts (decisions P14): known once, where somebody comes in, and written with every entry of the audit log that is made meanwhile, so that
// whoever records an act names what was done and nobody has to remember by whom, and with which credential.
import { Context } from "effect"

export interface AuditActor {
  /** Null: the operator, or somebody who is not known yet. */
  readonly userId: number | null
  /** The kind of credential: `personal_access_token`, `session`, `operator` … */
  readonly credential: string
  /** Its row; null where it has none, or where it is not known. */
  readonly credentialId: number | null
  readonly clientId: string | null
  readonly connectionId: number | null
}

const nobody = { userId: null, credentialId: null, clientId: null, connectionId: null } as const

/** On the command line (decisions P1). */
export const operator: AuditActor = { ...nobody, credential: "operator" }
/** On a page of a signed-in person, whom the entry names. */
export const signedIn: AuditActor = { ...nobody, credential: "session" }

/** Null: the service itself. */
export const CurrentActor = Context.Reference<AuditActor | null>("millrace/audit/CurrentActor", {
  defaultValue: () => null
})
