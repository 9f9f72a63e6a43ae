// Mails to a person about changes of their second step, so that nobody with a stolen session can change it unseen.
import { Clock, Effect, Schema } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { type NoticeKind, noticeRounds } from "../../../platform/mail/notices.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Person } from "../People.ts"

interface Letter {
  readonly subject: string
  readonly what: string
}

export type FactorNews =
  | { readonly type: "added"; readonly name: string; readonly first: boolean }
  | { readonly type: "removed"; readonly name: string; readonly last: boolean }
  | { readonly type: "new_codes" }
  | { readonly type: "code_used"; readonly left: number }
  | { readonly type: "reset"; readonly by: string }

const letterOf = (told: FactorNews): Letter => {
  switch (told.type) {
    case "added":
      return {
        subject: told.first ? "Two-step sign-in is on" : "A second step was added to your sign-in",
        what: `“${told.name}” was added as a second step of your sign-in.`
      }
    case "removed":
      return {
        subject: told.last ? "Two-step sign-in is off" : "A second step was removed from your sign-in",
        what: `“${told.name}” was removed.${told.last ? " Your password alone signs you in now." : ""}`
      }
    case "new_codes":
      return {
        subject: "New recovery codes were made",
        what: "New recovery codes were made. The former ones are worth nothing."
      }
    case "code_used":
      return {
        subject: "A recovery code was used to sign in",
        what: `Somebody signed in with one of your recovery codes. ${told.left === 0 ? "None is left." : `${told.left} left.`}`
      }
    case "reset":
      return {
        subject: "Your second step was reset",
        what: `${told.by} removed every second step of your sign-in and signed you out everywhere. Your password alone signs you in now.`
      }
  }
}

/** Written with the change itself, so that no end of the process loses it; a worker mails it. */
export const makeFactorNews = Effect.map(Sql, (sql) =>
  Effect.fnUntraced(function* ({ person_id }: Pick<Person, "person_id">, news: FactorNews) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    yield* sql`
        INSERT INTO factor_notices (person_id, news, created_on)
        VALUES (${person_id}, ${JSON.stringify(news)}::jsonb, ${nowDate})`
  })
)

const Row = Schema.Struct({ email: Schema.String, news: jsonb<FactorNews>() })

export const factorNotices = Effect.gen(function* () {
  const sql = yield* Sql
  const { baseUrl } = yield* AppConfig
  const mail: NoticeKind["mail"] = Effect.fnUntraced(function* (noticeId) {
    const row = yield* rowOf(Row)(sql`
      SELECT p.email, n.news FROM factor_notices n JOIN people p USING (person_id) WHERE n.notice_id = ${noticeId}`)
    if (row === undefined) return null
    const { email, news } = row
    const { subject, what } = letterOf(news)
    return {
      orgId: null,
      to: [email],
      subject,
      text: `${what}\n\nThis is about the sign-in of ${email} at ${baseUrl}. If it was not you, change your password at once, and look at your second steps:\n${baseUrl}/account/factors\n`,
      messageId: `factor-notice-${noticeId}`
    }
  })
  return { table: "factor_notices", whose: "person_id", mail } satisfies NoticeKind as NoticeKind
})

/** Runs in a worker process every few seconds. */
export const FactorRounds = noticeRounds("telling people about their second steps", factorNotices)
