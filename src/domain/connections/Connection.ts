// A connection: one approval of one user for one client in one organization (service.md 2.3, 3.2, 8; decisions O17).
import { Schema } from "effect"
import type { Sql } from "../../platform/sql/Sql.ts"
import { OrgRole } from "../accounts/Caller.ts"
import { Scope } from "../accounts/Scope.ts"
import { limits } from "./oauthLimits.ts"

/** Cause of a connection's end. */
export const EndedBy = Schema.Literals([
  "user",
  "organization",
  "app",
  "operator",
  "code_replayed",
  "refresh_replayed",
  "user_deactivated",
  "user_removed",
  "user_guest",
  "role_lost",
  "app_blocked",
  "user_blocked",
  "limit",
  "replaced",
  "client_disabled"
])
export type EndedBy = typeof EndedBy.Type

/** Columns that decide if a connection is active. */
export const Lifetime = Schema.Struct({
  last_token_on: Schema.Date,
  /** 365 days after approval; null for a client that the operator registered as confidential. */
  expires_on: Schema.NullOr(Schema.Date),
  ended_on: Schema.NullOr(Schema.Date)
})
export type Lifetime = typeof Lifetime.Type

/** A row of the lists on the pages and in the CLI. */
export const ConnectionView = Schema.Struct({
  ...Lifetime.fields,
  connection_id: Schema.Int,
  client_id: Schema.String,
  client_name: Schema.NullOr(Schema.String),
  user_id: Schema.Int,
  user_name: Schema.String,
  org_id: Schema.Int,
  org_name: Schema.String,
  role: OrgRole,
  scopes: Schema.Array(Scope),
  approved_on: Schema.Date,
  last_used_on: Schema.NullOr(Schema.Date),
  ended_by: Schema.NullOr(EndedBy)
})
export type ConnectionView = typeof ConnectionView.Type

/** 90 days after the last token, or the end of its 365 days, whichever comes first. */
export const lapsesAt = (connection: Lifetime): number =>
  Math.min(
    connection.last_token_on.getTime() + limits.idleMillis,
    connection.expires_on?.getTime() ?? Number.POSITIVE_INFINITY
  )

export const isActive = (connection: Lifetime, now: number): boolean =>
  connection.ended_on === null && now < lapsesAt(connection)

/**
 * SQL of the two functions above for statements that read `connections c`; `test/domain/connections/active.test.ts` checks that they agree.
 */
export const lapsesIn = (sql: Sql) =>
  sql`least(c.last_token_on + ${sql.literal(`interval '${limits.idleMillis} ms'`)}, c.expires_on)`

export const activeIn = (sql: Sql, now: number) => sql`(c.ended_on IS NULL AND ${lapsesIn(sql)} > ${new Date(now)})`

/** When an access token issued now stops working: after an hour, or with its connection. */
export const accessTokenExpiry = (connection: Pick<Lifetime, "expires_on">, now: number): number =>
  Math.min(now + limits.accessTokenMillis, connection.expires_on?.getTime() ?? Number.POSITIVE_INFINITY)
