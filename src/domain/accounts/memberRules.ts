// Rules for every change of an organization's members (developer-api.md 2.1, 2.3): the required rights, the last owner stays, credentials
// are revoked, the audit log records it.
import { DateTime, Effect } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import type { AuditKind } from "../../platform/audit/auditKinds.ts"
import { Conflict, NotFound, Restricted } from "../../platform/primitives/errors.ts"
import { countOf, rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import * as Views from "./accountSchemas.ts"
import type { CallerShape } from "./Caller.ts"

export const { OrgUser } = Views
export type OrgUser = typeof OrgUser.Type

const moment = (column: string) => `to_char(i.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`

/** Columns of `users u` and `people p`. */
export const orgUserColumns = `u.user_id, u.name, u.org_id, u.status, p.email, u.phone, u.role, u.job_description,
  CASE WHEN u.status = 'invited' THEN (
    SELECT json_build_object('status', i.status, 'invited_on', ${moment("created_on")}, 'expires_on', ${moment("expires_on")})
    FROM invitations i WHERE i.user_id = u.user_id) END AS invitation`

export const makeMemberRules = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const columns = sql.literal(orgUserColumns)

  const mayManage = (caller: CallerShape) =>
    caller.role === "owner" || caller.role === "admin"
      ? Effect.void
      : new Restricted({ message: "Only owners and organization admins manage members." })

  const locked = Effect.fnUntraced(function* (caller: CallerShape, userId: number) {
    // The organization's row is the lock for its last owner.
    yield* sql`SELECT 1 FROM organizations WHERE org_id = ${caller.orgId} FOR UPDATE`
    const row = yield* rowOf(OrgUser)(sql`
      SELECT ${columns} FROM users u JOIN people p USING (person_id)
      WHERE u.user_id = ${userId} AND u.org_id = ${caller.orgId} AND u.status <> 'removed' FOR UPDATE OF u`)
    return row ?? (yield* new NotFound({ message: `No user with id ${userId}.` }))
  })

  const keepAnOwner = Effect.fnUntraced(function* (user: OrgUser) {
    if (user.role !== "owner" || user.status === "deactivated") return
    const otherOwnerCount = yield* countOf(sql`
      SELECT count(*)::int AS n FROM users
      WHERE org_id = ${user.org_id} AND role = 'owner' AND status = 'active' AND user_id <> ${user.user_id}`)
    if (otherOwnerCount === 0)
      return yield* new Conflict({ message: "The last owner cannot be demoted, deactivated or removed." })
  })

  const ownersOnly = (caller: CallerShape, user: OrgUser) =>
    user.role === "owner" && caller.role !== "owner"
      ? new Restricted({ message: "Only owners change an owner." })
      : Effect.void

  const loseCredentials = Effect.fnUntraced(function* (userId: number, tokensOnly: boolean) {
    const nowDate = DateTime.toDate(yield* DateTime.now)
    yield* sql`
      UPDATE api_credentials SET revoked_on = ${nowDate}
      WHERE user_id = ${userId} AND revoked_on IS NULL AND (kind = 'personal_access_token' OR ${!tokensOnly})`
    if (!tokensOnly) yield* sql`DELETE FROM invitations WHERE user_id = ${userId}`
  })

  const audited = (
    caller: CallerShape,
    event: Extract<AuditKind, `user.${string}`>,
    user: Pick<OrgUser, "org_id" | "user_id" | "role"> & { readonly status: string }
  ) =>
    audit.record({
      event,
      orgId: user.org_id,
      userId: user.user_id,
      details: { role: user.role, status: user.status, admin: caller.userId }
    })

  return { mayManage, locked, keepAnOwner, ownersOnly, loseCredentials, audited }
})
