// Stores mails as rows (developer-api.md 6; decisions P3): counted against the organization's rolling 24 h quota, sent once for a message
// id.
import { DateTime, Effect, Schema } from "effect"
import { AppConfig } from "../config/Config.ts"
import { TooManyRequests } from "../primitives/errors.ts"
import { lockKey, MAIL_LOCK } from "../sql/advisoryLocks.ts"
import { rowOf } from "../sql/rows.ts"
import { Sql } from "../sql/Sql.ts"
import { headerLine } from "./addresses.ts"

interface MailAttachment {
  readonly filename: string
  readonly content: Uint8Array
  readonly mimetype?: string
}

export interface MailMessage {
  /** Organization that sends; `null`: mail of the installation itself. */
  readonly orgId: number | null
  /** App whose step sends the mail, by an account that its workspace may use (decisions A26). Omitted: the organization itself. */
  readonly appId?: number
  /** Account to send by. Omitted: the organization's default account, else the installation's. */
  readonly accountId?: number
  readonly from?: { readonly address?: string; readonly name?: string }
  /** Recipients as comma lists or lists of them; text that is no address is dropped. */
  readonly to: string | ReadonlyArray<string>
  readonly cc?: string | ReadonlyArray<string>
  readonly bcc?: string | ReadonlyArray<string>
  readonly replyTo?: string | ReadonlyArray<string>
  readonly subject: string
  readonly html?: string
  /** Made from `html` when omitted. */
  readonly text?: string
  readonly attachments?: ReadonlyArray<MailAttachment>
  /** Key that stays the same when the mail is sent again, e.g. a step's key. */
  readonly messageId: string
  /** Redacts the mail's texts for what the service keeps: the row, and a mail that no server takes. */
  readonly kept?: (text: string) => string
  /** Mail of the service itself (notices to admins and owners): outside of the quota. */
  readonly system?: boolean
}

export const keptOf = ({ kept = (text) => text }: MailMessage) => kept

export const SentMail = Schema.Struct({
  mail_id: Schema.Int,
  /** Value of the `Message-ID` header, with its angle brackets. */
  message_id: Schema.String,
  status: Schema.Literals(["sent", "kept"]),
  recipients: Schema.Array(Schema.String),
  /** Recipients that the server refused while it took others. */
  rejected: Schema.Array(Schema.String)
})
export type SentMail = typeof SentMail.Type

const MailRow = Schema.Struct({ ...SentMail.fields, status: Schema.Literals(["sending", "sent", "kept", "failed"]) })

const Used = Schema.Struct({
  count: Schema.Int,
  oldest: Schema.NullOr(Schema.Date),
  quota: Schema.NullOr(Schema.Int)
})

const DAY_MS = 24 * 60 * 60 * 1000

export const makeMailRows = Effect.gen(function* () {
  const config = yield* AppConfig
  const sql = yield* Sql
  const columns = sql.literal("mail_id, message_id, status, recipients, rejected")

  /** Counts the mail against the quota and writes its row, or returns the row of an earlier attempt. */
  const reserve = Effect.fnUntraced(function* (
    message: MailMessage,
    messageId: string,
    sender: string,
    recipients: ReadonlyArray<string>
  ) {
    const nowDate = DateTime.toDate(yield* DateTime.now)
    const isCounted = message.orgId !== null && message.system !== true
    if (isCounted) yield* sql`SELECT pg_advisory_xact_lock(${MAIL_LOCK}::int, ${lockKey(message.orgId)}::int)`
    const existingMail = yield* rowOf(MailRow)(
      sql`SELECT ${columns} FROM mails WHERE message_id = ${messageId} FOR UPDATE`
    )
    if (existingMail?.status === "sent" || existingMail?.status === "kept")
      return { known: { ...existingMail, status: existingMail.status } }
    if (isCounted) {
      const since = new Date(nowDate.getTime() - DAY_MS)
      const used = yield* rowOf(Used)(sql`
        SELECT count(*)::int AS count, min(created_on) AS oldest,
               (SELECT (limits->>'mail_per_day')::int FROM organizations WHERE org_id = ${message.orgId}) AS quota
        FROM mails WHERE org_id = ${message.orgId} AND counted AND status <> 'failed'
          AND created_on > ${since} AND message_id <> ${messageId}`)
      const quota = used!.quota ?? config.mailPerDay
      if (used!.count >= quota) {
        const freeAt = (used!.oldest?.getTime() ?? nowDate.getTime()) + DAY_MS
        return yield* new TooManyRequests({
          message: `The organization's quota of ${quota} mails in 24 hours is used up.`,
          retryAfterSeconds: Math.max(1, Math.ceil((freeAt - nowDate.getTime()) / 1000))
        })
      }
    }
    const row = yield* rowOf(MailRow)(sql`
      INSERT INTO mails (org_id, message_id, status, counted, sender, recipients, subject, created_on)
      VALUES (${message.orgId}, ${messageId}, 'sending', ${isCounted}, ${sender}, ${[...recipients]}::text[],
              ${headerLine(keptOf(message)(message.subject)).slice(0, 500).toWellFormed()}, ${nowDate})
      ON CONFLICT (message_id) DO UPDATE SET status = 'sending', error = NULL, created_on = EXCLUDED.created_on
      RETURNING ${columns}`)
    return { mailId: row!.mail_id }
  }, sql.withTransaction)

  const finish = Effect.fnUntraced(function* <S extends "sent" | "kept" | "failed">(
    mailId: number,
    status: S,
    rest: { readonly rejected?: ReadonlyArray<string>; readonly error?: string; readonly raw?: Uint8Array }
  ) {
    const nowDate = DateTime.toDate(yield* DateTime.now)
    const row = yield* rowOf(MailRow)(sql`
      UPDATE mails SET status = ${status}, rejected = ${[...(rest.rejected ?? [])]}::text[], error = ${rest.error ?? null},
        raw = ${rest.raw ?? null}, done_on = ${nowDate}
      WHERE mail_id = ${mailId} RETURNING ${columns}`)
    return { ...row!, status }
  })

  return { reserve, finish }
})
