// Mails `automation_notices` to the owners of the automations: when an automation becomes broken, when its runs begin to fail, when it is paused for that, and to the
// former owner when the owner changes (decisions A20). If several notices of one kind wait for the same person, only the last is mailed.
import { Clock, Effect, Schema } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { type NoticeKind, noticeRounds } from "../../../platform/mail/notices.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"

/** Maximum of mails per day and automation about runs that alternately fail and succeed. */
const FAILING_A_DAY = 10
const DAY_MILLIS = 86_400_000

const Row = Schema.Struct({
  kind: Schema.Literals(["broken", "failing", "taken_over", "paused"]),
  automation_id: Schema.Int,
  org_id: Schema.Int,
  run_id: Schema.NullOr(Schema.String),
  cause: Schema.String,
  name: Schema.String,
  app_name: Schema.String,
  email: Schema.String,
  /** Mails about failing runs within the last day. */
  told: Schema.Int
})
type Row = typeof Row.Type

export const ownerNotices = Effect.gen(function* () {
  const sql = yield* Sql
  const { baseUrl } = yield* AppConfig
  const dayAgo = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis - DAY_MILLIS))

  const mail: NoticeKind["mail"] = Effect.fnUntraced(function* (noticeId) {
    const row = yield* rowOf(Row)(sql`
      SELECT n.kind, n.automation_id, n.org_id, n.run_id::text, n.cause, x.name, a.name AS app_name, p.email,
        CASE WHEN f.told_since > ${yield* dayAgo} THEN f.told ELSE 0 END AS told
      FROM automation_notices n JOIN automations x USING (automation_id) JOIN apps a USING (app_id)
        JOIN users u ON u.user_id = coalesce(n.user_id, x.owner_id) JOIN people p USING (person_id)
        LEFT JOIN automation_failing f USING (automation_id)
      WHERE n.notice_id = ${noticeId} AND x.deleted_on IS NULL AND u.status = 'active' AND NOT EXISTS (
        SELECT 1 FROM automation_notices later WHERE later.automation_id = n.automation_id AND later.kind = n.kind
          AND later.user_id IS NOT DISTINCT FROM n.user_id AND later.notice_id > n.notice_id)`)
    if (row === undefined) return null
    if (row.kind === "failing" && row.told >= FAILING_A_DAY) {
      yield* Effect.logInfo("the owner of an automation is not told again today", { automation_id: row.automation_id })
      return null
    }
    const { subject, text } = mailOf(row, baseUrl)
    return { orgId: row.org_id, to: [row.email], subject, text, messageId: `automation-notice-${noticeId}` }
  })

  const countNotice: NoticeKind["told"] = Effect.fnUntraced(function* (noticeId) {
    const dayBefore = yield* dayAgo
    yield* sql`
      UPDATE automation_failing f SET told = CASE WHEN told_since > ${dayBefore} THEN told + 1 ELSE 1 END,
        told_since = CASE WHEN told_since > ${dayBefore} THEN told_since ELSE ${new Date(dayBefore.getTime() + DAY_MILLIS)} END
      FROM automation_notices n
      WHERE n.notice_id = ${noticeId} AND n.kind = 'failing' AND f.automation_id = n.automation_id`
  })

  return { table: "automation_notices", mail, told: countNotice } satisfies NoticeKind as NoticeKind
})

/** Sends notices every few seconds, in a worker process. */
export const OwnerRounds = noticeRounds("telling owners about automations", ownerNotices)

/** Builds a mail that names automation, app, cause and the address for details. */
const mailOf = (row: Row, baseUrl: string) => {
  const which = `automation "${row.name}" (${row.automation_id}) of the app "${row.app_name}"`
  const about = `Automation "${row.name}" of ${row.app_name}`
  switch (row.kind) {
    case "broken":
      return {
        subject: `${about} is broken`,
        text: `The ${which} cannot run any more: ${row.cause}\n\nIt starts no runs until its definition is mended and activated again:\n${baseUrl}/v1/automation/${row.automation_id}`
      }
    case "failing":
      return {
        subject: `${about} is failing`,
        text: `A run of the ${which} failed: ${row.cause}\n\nIts log says at which step:\n${baseUrl}/v1/automation-run/${row.run_id}\n\nFurther runs that fail are not mailed until one has succeeded.${
          row.told + 1 === FAILING_A_DAY ? " This is the last mail about it today." : ""
        }`
      }
    case "paused":
      return {
        subject: `${about} is paused`,
        text: `The ${which} was paused: ${row.cause}

The log of that run says at which step:
${baseUrl}/v1/automation-run/${row.run_id}

It starts no runs until its definition is mended and saved, or it is activated again:
${baseUrl}/v1/automation/${row.automation_id}`
      }
    case "taken_over":
      return {
        subject: `${about} has another owner`,
        text: `${row.cause} has changed what the ${which} does, and is its owner now. It runs with their rights instead of yours:\n${baseUrl}/v1/automation/${row.automation_id}`
      }
  }
}
