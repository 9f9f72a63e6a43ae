// Sends what `webhook_notices` holds to the app's admins (decisions W1): workspace admins, and owners and organization
// admins where they administer the workspace (developer-api.md 2.3). A notice goes once its mails are on their way.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { mailOf } from "./HookNotices.ts"

const AT_ONCE = 50

export interface AdminMail {
  readonly orgId: number
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** The same when the mail is sent again: the mail room sends it once. */
  readonly messageId: string
}

interface Row {
  readonly notice_id: number
  readonly hook_id: number
  readonly app_id: number
  readonly org_id: number
  readonly host: string
  readonly type: string
  readonly failures: number
  readonly allowed: number
  readonly share: number | null
  readonly app_name: string | null
  readonly admins: ReadonlyArray<string>
}

/**
 * One round. @param send fails where a later round may succeed; such notices stay.
 * @returns how many were told
 */
export const tellAdmins = <E extends { readonly message: string }, R>(
  send: (mail: AdminMail) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<Row>`
      SELECT n.*, a.name AS app_name, ARRAY(
        SELECT p.email FROM users u JOIN people p USING (person_id)
        LEFT JOIN workspace_members m ON m.workspace_id = a.workspace_id AND m.user_id = u.user_id
        WHERE u.org_id = n.org_id AND u.status = 'active' AND u.role <> 'guest'
          AND (m.role = 'admin' OR (u.role IN ('owner', 'admin') AND w.type <> 'private'))
        ORDER BY u.user_id) AS admins
      FROM webhook_notices n LEFT JOIN apps a USING (app_id) LEFT JOIN workspaces w USING (workspace_id)
      ORDER BY notice_id LIMIT ${AT_ONCE}`
    let told = 0
    for (const row of rows) {
      if (row.app_name !== null && row.admins.length > 0) {
        const { subject, text } = mailOf(row, row.app_name)
        const sent = yield* Effect.result(
          send({ orgId: row.org_id, to: row.admins, subject, text, messageId: `webhook-notice-${row.notice_id}` })
        )
        if (sent._tag === "Failure") {
          yield* Effect.logWarning(`a notice about hook ${row.hook_id} could not be mailed: ${sent.failure.message}`)
          continue
        }
        told++
      }
      yield* sql`DELETE FROM webhook_notices WHERE notice_id = ${row.notice_id}`
    }
    return told
  }).pipe(Effect.catchTag("SqlError", Effect.die))
