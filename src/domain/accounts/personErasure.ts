// Erases a person's data (decisions P1; docs/operations.md, "Erase a person"): deletes or blanks what belongs to them, in one transaction.
// What they wrote belongs to its organization and stays, by an author without a name. The audit log proves the erasure with counts only.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { Conflict } from "../../platform/primitives/errors.ts"
import { countOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { keepAnAdmin } from "./lastAdmin.ts"
import { People } from "./People.ts"
import { UserChangeSubscribers } from "./UserChangeSubscribers.ts"

/** Person to erase: statements name `person` and `ids`, the person's users. */
interface Whose {
  readonly person: number
  readonly email: string
  readonly users: ReadonlyArray<number>
}

type Made = (sql: Sql, whose: Whose, ids: Statement.Fragment) => Statement.Statement<object>

/** Statements that delete or blank a person's data, by table. A test compares the tables with those that refer to a person or user. */
export const erased: Readonly<Record<string, Made>> = {
  session_tokens: (sql, _, ids) => sql`DELETE FROM session_tokens WHERE user_id = ${ids} RETURNING 1`,
  sessions: (sql, { person }) =>
    sql`DELETE FROM sessions WHERE person_id = ${person} OR pending_person_id = ${person} RETURNING 1`,
  factor_notices: (sql, { person }) => sql`DELETE FROM factor_notices WHERE person_id = ${person} RETURNING 1`,
  factors: (sql, { person }) => sql`DELETE FROM factors WHERE person_id = ${person} RETURNING 1`,
  recovery_codes: (sql, { person }) => sql`DELETE FROM recovery_codes WHERE person_id = ${person} RETURNING 1`,
  one_time_links: (sql, { person }) => sql`DELETE FROM one_time_links WHERE person_id = ${person} RETURNING 1`,
  invitation_notices: (sql, _, ids) => sql`DELETE FROM invitation_notices WHERE user_id = ${ids} RETURNING 1`,
  invitations: (sql, _, ids) => sql`DELETE FROM invitations WHERE user_id = ${ids} RETURNING 1`,
  idempotency_keys: (sql, _, ids) => sql`DELETE FROM idempotency_keys WHERE user_id = ${ids} RETURNING 1`,
  rate_windows: (sql, _, ids) => sql`DELETE FROM rate_windows WHERE user_id = ${ids} RETURNING 1`,
  workspace_members: (sql, _, ids) => sql`DELETE FROM workspace_members WHERE user_id = ${ids} RETURNING 1`,
  org_app_user_blocks: (sql, _, ids) => sql`DELETE FROM org_app_user_blocks WHERE user_id = ${ids} RETURNING 1`,
  automation_notices: (sql, _, ids) => sql`DELETE FROM automation_notices WHERE user_id = ${ids} RETURNING 1`,
  // Private ones; others stay, with the id of their maker.
  views: (sql, _, ids) => sql`DELETE FROM views WHERE private AND created_by = ${ids} RETURNING 1`,
  authorization_codes: (sql, _, ids) =>
    sql`DELETE FROM authorization_codes WHERE user_id = ${ids} AND connection_id IS NULL RETURNING 1`,
  // Keeps blanked rows, which grant no access: the audit log names their ids.
  api_credentials: (sql, _, ids) => sql`
    UPDATE api_credentials SET name = NULL, hint = '', revoked_on = coalesce(revoked_on, now()) WHERE user_id = ${ids} RETURNING 1`,
  // Its organization's count of mails stays.
  mails: (sql, { email }) => sql`
    UPDATE mails SET recipients = '{erased}', rejected = '{}', subject = '', raw = NULL, error = NULL,
      status = CASE status WHEN 'sent' THEN 'sent' ELSE 'failed' END
    WHERE lower(${email}) = ANY(SELECT lower(r) FROM unnest(recipients) r) RETURNING 1`,
  users: (sql, _, ids) => sql`
    UPDATE users SET name = ${ERASED}, status = 'removed', phone = NULL, job_description = NULL, image = NULL, timezone = 'UTC'
    WHERE user_id = ${ids} RETURNING 1`,
  people: (sql, { person }) => sql`
    UPDATE people SET name = ${ERASED}, email = 'erased-' || person_id || '@erased.invalid', password_hash = NULL,
      password_set_on = NULL, last_sign_in_on = NULL WHERE person_id = ${person} RETURNING 1`
}

/** Tables that keep the user's id, whose name is erased. Records, comments, revisions and runs belong to their organization. */
export const kept: Readonly<Record<string, string>> = {
  audit_log: "append-only: ids, and source addresses until the month lapses",
  automations: "owner_id: they run no more, until somebody else owns them",
  automation_revisions: "author_id",
  comments: "created_by",
  connections: "ended with the user, removed by housekeeping",
  files: "uploaded_by",
  hooks: "created_by and author_id",
  jobs: "user_id: they end, and are removed by housekeeping",
  records: "created_by and last_modified_by",
  replies: "created_by",
  revisions: "author",
  secrets: "created_by and updated_by"
}

const ERASED = "Erased user"

const OwnUser = Schema.Struct({
  user_id: Schema.Int,
  org_id: Schema.Int,
  role: Schema.String,
  status: Schema.Literals(["active", "deactivated", "invited", "removed"])
})

export interface Erasure {
  readonly person_id: number
  readonly users: number
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
}

/** Erases a person in the caller's transaction: roll it back to see only what would be erased. */
export const erasePerson = Effect.fn("accounts.erasePerson")(function* (address: string) {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const changes = yield* UserChangeSubscribers
  const { email, person_id: person } = yield* People.use((people) => people.byEmail(address))
  // Locks the person's row, which orders their sessions: a concurrent sign-in waits, and finds nobody.
  yield* sql`SELECT 1 FROM people WHERE person_id = ${person} FOR NO KEY UPDATE`
  const users = yield* rowsOf(OwnUser)(sql`
    SELECT user_id, org_id, role, status FROM users WHERE person_id = ${person} ORDER BY user_id`)
  for (const { org_id, role, status, user_id } of users) {
    // The organization's row is the lock for its last owner, as wherever members change.
    yield* sql`SELECT 1 FROM organizations WHERE org_id = ${org_id} FOR UPDATE`
    const otherOwnerCount = yield* countOf(sql`
      SELECT count(*)::int AS n FROM users
      WHERE org_id = ${org_id} AND role = 'owner' AND status = 'active' AND user_id <> ${user_id}`)
    if (role === "owner" && status === "active" && otherOwnerCount === 0) {
      return yield* new Conflict({
        message: `They are the last owner of organization ${org_id}: give it another first.`
      })
    }
    if (status !== "removed") yield* keepAnAdmin(sql, user_id)
  }
  const currentUsers = users.filter(({ status }) => status !== "removed")
  const whose = { person, email, users: users.map(({ user_id }) => user_id) }
  const ids = sql`ANY(${whose.users.map(String)}::text[]::bigint[])`
  const rows: Record<string, number> = {}
  for (const [table, made] of Object.entries(erased)) rows[table] = (yield* made(sql, whose, ids)).length
  for (const { org_id, user_id } of currentUsers)
    yield* changes.notify({ orgId: org_id, userId: user_id, kind: "left" })
  for (const { org_id, user_id } of users) yield* changes.notify({ orgId: org_id, userId: user_id, kind: "renamed" })
  const details = { by: "operator", rows }
  for (const { org_id, user_id } of users) {
    yield* audit.record({ event: "person.erased", orgId: org_id, personId: person, userId: user_id, details })
  }
  if (users.length === 0) yield* audit.record({ event: "person.erased", personId: person, details })
  return { person_id: person, users: users.length, rows } satisfies Erasure
}, orSqlDefect)
