// Caller of an operation: a user through one credential, or an automation with its owner's rights (developer-api.md 1.7, 2.3, 2.4).
import { Context, Schema } from "effect"
import type { Author, Cause } from "../../engine/outbox/Event.ts"
import type { Profile } from "./Profile.ts"
import type { Scope } from "./Scope.ts"

export const OrgRole = Schema.Literals(["owner", "admin", "member", "guest"]).annotate({
  identifier: "OrganizationRole"
})
export type OrgRole = typeof OrgRole.Type

interface Credential {
  readonly type: "user_api_key" | "personal_access_token" | "oauth_access_token" | "session" | "automation"
  /** Row id of the credential; the connection's id for an OAuth access token. */
  readonly id: number
  readonly clientId: string | null
  readonly expiresOn: Date | null
}

/** `all`, or the workspaces and apps a personal access token was limited to. */
export type ContentSelection =
  | "all"
  | { readonly workspaceIds: ReadonlyArray<number>; readonly appIds: ReadonlyArray<number> }

/** Rights of one of several people who act together: they may only do what each of them may do (decisions A24). */
interface JointStanding {
  readonly userId: number
  readonly role: OrgRole
  readonly selection: ContentSelection
  /** Their role in each workspace that they are a member of. */
  readonly memberships: ReadonlyMap<number, "admin" | "member" | "guest">
}

export interface CallerShape {
  readonly userId: number
  readonly orgId: number
  readonly personId: number
  readonly role: OrgRole
  readonly author: Author
  readonly credential: Credential
  /** `all`: no scope checks (API key, session, automation). */
  readonly scopes: "all" | ReadonlySet<Scope>
  readonly selection: ContentSelection
  /** Set if the endpoint requires it. */
  readonly profile?: Profile
  /** Set if a step of a run calls the API: its changes belong to the run's chain (developer-api.md 7.5 rule 4). */
  readonly origin?: { readonly depth: number; readonly cause: Cause }
  /** Set if the caller waits for the run that the call requests: the key of its row in `run_waits`. */
  readonly waitKey?: string
  /** Set if several people act together: for workspaces and apps these decide, instead of role and selection. */
  readonly standings?: ReadonlyArray<JointStanding>
}

/** The one user who acts; null for several who act together: what exists for one user alone does not exist for them (developer-api.md 11.6). */
export const soleUserOf = ({ standings, userId }: Pick<CallerShape, "standings" | "userId">): number | null =>
  standings === undefined || standings.every((standing) => standing.userId === userId) ? userId : null

/** True if the credential has the scope. */
export const holds = ({ scopes }: Pick<CallerShape, "scopes">, scope: Scope): boolean =>
  scopes === "all" || scopes.has(scope)

/** Link of a caller's changes in a chain of automations: the step's own, or the start of a chain for people. */
export const chainLinkOf = ({ origin }: Pick<CallerShape, "origin">): { depth: number; cause: Cause | null } => ({
  depth: origin?.depth ?? 0,
  cause: origin?.cause ?? null
})

/** The caller of the current request; services take it as a parameter, handlers read it here. */
export class Caller extends Context.Service<Caller, CallerShape>()("millrace/accounts/Caller") {}
