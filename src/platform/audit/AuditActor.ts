// Carries the acting user and credential (decisions P14), determined once at the entry point. Each entry of the audit log that is written
// meanwhile includes them, so that code that records an act names only what was done.
import { Context } from "effect"

export interface AuditActor {
  /** Id of the acting user; null: the operator, or somebody who is not known yet. */
  readonly userId: number | null
  /** Kind of credential: `personal_access_token`, `session`, `operator` … */
  readonly credential: string
  /** Id of the credential's row; null if it has none, or if that is not known. */
  readonly credentialId: number | null
  readonly clientId: string | null
  readonly connectionId: number | null
}

const nobody = { userId: null, credentialId: null, clientId: null, connectionId: null } as const

/** Actor of the command line (decisions P1). */
export const operator: AuditActor = { ...nobody, credential: "operator" }
/** Actor on pages of a signed-in person; the entry itself names the person. */
export const signedIn: AuditActor = { ...nobody, credential: "session" }

/** Actor of the current fiber; null: the service itself. */
export const CurrentActor = Context.Reference<AuditActor | null>("millrace/audit/CurrentActor", {
  defaultValue: () => null
})
