// Invitations as rows (developer-api.md 11.5): what an open one says and gives, and when it is worth nothing. The address, the role and
// the organization are those of the user's row: nothing in the link or its form chooses them.
import { Clock, Effect, Schema } from "effect"
import { hashToken } from "../../../platform/sealing/Secrets.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { OrgRole } from "../Caller.ts"

const invitationDays = 7
const DAY_MILLIS = 86_400_000
export const expiryOf = (millis: number) => new Date(millis + invitationDays * DAY_MILLIS)

/** The user's role in a sentence, as mails and pages say it. */
export const roleWords = { owner: "an owner", admin: "an admin", member: "a member", guest: "a guest" } as const

export const invitationUrl = (baseUrl: string, token: string) => `${baseUrl}/invitation/${token}`

/**
 * Condition that the inviter of `invitations i` may still give the user's role, in a statement over `users u`. It is asked whenever the
 * invitation is used: what somebody gives while they may is worth nothing once they may not.
 */
export const mayStillInvite = (sql: Sql) => sql`(i.invited_by IS NULL OR EXISTS (
  SELECT 1 FROM users b WHERE b.user_id = i.invited_by AND b.org_id = u.org_id AND b.status = 'active'
    AND (b.role = 'owner' OR (b.role = 'admin' AND u.role <> 'owner'))))`

const OpenRow = Schema.Struct({
  user_id: Schema.Int,
  org_id: Schema.Int,
  person_id: Schema.Int,
  email: Schema.String,
  role: OrgRole,
  org_name: Schema.String,
  /** Null for the people who run the service. */
  inviter: Schema.NullOr(Schema.String),
  /** The person proves who they are by it; else the link does. */
  has_password: Schema.Boolean,
  /**
   * An admin has read this link, and the person belongs to other organizations as well: the admin of one would set the password that opens
   * another.
   */
  unproven: Schema.Boolean
})
export type OpenInvitation = typeof OpenRow.Type & { readonly workspaces: ReadonlyArray<string> }

const NamedWorkspace = Schema.Struct({ name: Schema.String })
/** Most workspaces that the page names. */
const WORKSPACES_NAMED = 20

/** The invitation that a token opens now; undefined for every other token alike. */
export const openInvitation = Effect.fnUntraced(function* (sql: Sql, token: string) {
  const row = yield* rowOf(OpenRow)(sql`
    SELECT u.user_id, u.org_id, p.person_id, p.email, u.role, o.name AS org_name, p.password_hash IS NOT NULL AS has_password,
      (SELECT b.name FROM users b WHERE b.user_id = i.invited_by) AS inviter,
      i.status = 'shown' AND i.invited_by IS NOT NULL AND EXISTS (
        SELECT 1 FROM users e WHERE e.person_id = p.person_id AND e.org_id <> u.org_id AND e.status <> 'removed') AS unproven
    FROM invitations i JOIN users u USING (user_id) JOIN people p USING (person_id) JOIN organizations o USING (org_id)
    WHERE i.token_hash = ${hashToken(token)} AND i.expires_on > ${new Date(yield* Clock.currentTimeMillis)}
      AND u.status = 'invited' AND ${mayStillInvite(sql)}`)
  if (row === undefined) return undefined
  const workspaces = yield* rowsOf(NamedWorkspace)(sql`
    SELECT w.name FROM workspace_members m JOIN workspaces w USING (workspace_id) WHERE m.user_id = ${row.user_id}
    ORDER BY w.workspace_id LIMIT ${WORKSPACES_NAMED}`)
  return { ...row, workspaces: workspaces.map(({ name }) => name) } satisfies OpenInvitation as OpenInvitation
})
