// A connection: one approval of one user for one client in one organization (service.md 2.3, 3.2, 8; decisions O17).
import type { OrgRole } from "../accounts/Caller.ts"
import type { Scope } from "../accounts/Scope.ts"
import { limits } from "./oauthLimits.ts"

/** Who or what ended a connection. */
export type EndedBy =
  | "user"
  | "organization"
  | "app"
  | "operator"
  | "code_replayed"
  | "refresh_replayed"
  | "user_deactivated"
  | "user_removed"
  | "user_guest"
  | "role_lost"
  | "app_blocked"
  | "user_blocked"
  | "limit"
  | "replaced"
  | "client_disabled"

/** What decides whether a connection is active. */
export interface Lifetime {
  readonly last_token_on: Date
  /** 365 days after approval; null for a client that the operator registered as confidential. */
  readonly expires_on: Date | null
  readonly ended_on: Date | null
}

/** A row of the lists on the pages and in the CLI. */
export interface ConnectionView extends Lifetime {
  readonly connection_id: number
  readonly client_id: string
  readonly client_name: string | null
  readonly user_id: number
  readonly user_name: string
  readonly org_id: number
  readonly org_name: string
  readonly role: OrgRole
  readonly scopes: ReadonlyArray<Scope>
  readonly approved_on: Date
  readonly last_used_on: Date | null
  readonly ended_by: EndedBy | null
}

/** 90 days after the last token, or the end of its 365 days, whichever comes first. */
export const lapsesAt = (connection: Lifetime): number =>
  Math.min(
    connection.last_token_on.getTime() + limits.idleMillis,
    connection.expires_on?.getTime() ?? Number.POSITIVE_INFINITY
  )

export const isActive = (connection: Lifetime, now: number): boolean =>
  connection.ended_on === null && now < lapsesAt(connection)

/** When an access token issued now stops working: after an hour, or with its connection. */
export const accessTokenExpiry = (connection: Pick<Lifetime, "expires_on">, now: number): number =>
  Math.min(now + limits.accessTokenMillis, connection.expires_on?.getTime() ?? Number.POSITIVE_INFINITY)
