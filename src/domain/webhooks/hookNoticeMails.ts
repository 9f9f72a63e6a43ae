// Mails the rows of `webhook_notices` to the app's admins (decisions W1): workspace admins, and owners and organization admins if they
// administer the workspace (developer-api.md 2.3).
import { Effect, Schema } from "effect"
import { type NoticeKind, noticeRounds } from "../../platform/mail/notices.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { mailOf, NoticedHook } from "./HookNotices.ts"

const Row = Schema.Struct({
  notice_id: Schema.Int,
  ...NoticedHook.fields,
  failures: Schema.Int,
  allowed: Schema.Int,
  share: Schema.NullOr(Schema.Int),
  reason: Schema.NullOr(Schema.String),
  kind: Schema.NullOr(Schema.String),
  app_name: Schema.NullOr(Schema.String),
  admins: Schema.Array(Schema.String)
})

export const hookNoticeMails = Effect.gen(function* () {
  const sql = yield* Sql
  const mail: NoticeKind["mail"] = Effect.fnUntraced(function* (noticeId) {
    const row = yield* rowOf(Row)(sql`
      SELECT n.*, a.name AS app_name, ARRAY(
        SELECT p.email FROM users u JOIN people p USING (person_id)
        LEFT JOIN workspace_members m ON m.workspace_id = a.workspace_id AND m.user_id = u.user_id
        WHERE u.org_id = n.org_id AND u.status = 'active' AND u.role <> 'guest'
          AND (m.role = 'admin' OR (u.role IN ('owner', 'admin') AND w.type <> 'private'))
        ORDER BY u.user_id) AS admins
      FROM webhook_notices n LEFT JOIN apps a USING (app_id) LEFT JOIN workspaces w USING (workspace_id)
      WHERE notice_id = ${noticeId}`)
    if (row === undefined || row.app_name === null || row.admins.length === 0) return null
    const { subject, text } = mailOf(row, row.app_name)
    return { orgId: row.org_id, to: row.admins, subject, text, messageId: `webhook-notice-${row.notice_id}` }
  })
  return { table: "webhook_notices", mail } satisfies NoticeKind as NoticeKind
})

/** Mails them in a worker process, every few seconds. */
export const HookRounds = noticeRounds("telling admins about webhooks", hookNoticeMails)
