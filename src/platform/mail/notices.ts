// Mails notices to admins and owners (decisions W1; developer-api.md 7.2, 7.11): rows written in the transaction of their cause, mailed by
// a pass every few seconds. A pass claims a notice before it mails it, so that several processes send it once. After a crash in between
// another process takes it over, and the message id prevents a second mail.
import { Cause, Clock, Effect, Layer, Schedule, Schema, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { rowOf, rowsOf } from "../sql/rows.ts"
import { Sql } from "../sql/Sql.ts"
import { orSqlDefect } from "../sql/sqlDefect.ts"
import { Mail } from "./Mail.ts"

const EVERY = "5 seconds"
/** Lifetime of a claim in milliseconds, longer than a mail may take. */
const CLAIM_MILLIS = 300_000

export interface NoticeMail {
  /** Organization that sends; null: mail of the installation itself. */
  readonly orgId: number | null
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** Message id, equal on each attempt, so that the mail is sent once. */
  readonly messageId: string
  /** Hides what of its texts may not be written down, in logs and rows. */
  readonly kept?: (text: string) => string
  /** Runs where no later round can send it. */
  readonly refused?: Effect.Effect<unknown, SqlError>
}

export interface NoticeKind {
  /** Table with the columns `notice_id`, `claimed_until` and the owner's. */
  readonly table: string
  /** Owner's column: notices of different owners do not wait for each other; `org_id` unless given. */
  readonly whose?: string
  /** Builds the mail from the current state; null: there is nobody or nothing left to tell. */
  readonly mail: (noticeId: number) => Effect.Effect<NoticeMail | null, SqlError>
  /** Writes further rows after the notice has been mailed. */
  readonly told?: (noticeId: number) => Effect.Effect<unknown, SqlError>
}

type Send<E, R> = (mail: NoticeMail) => Effect.Effect<unknown, E, R>

/** Organizations that are mailed at once: one with a slow mail server does not delay the others (decisions A22). */
const AT_ONCE = 50

const WhoseRow = Schema.Struct({ whose: Schema.Int })

/** Organizations, or people, with notices that nobody has claimed. */
const untold = Effect.fnUntraced(function* ({ table, whose = "org_id" }: NoticeKind) {
  const sql = yield* Sql
  const nowDate = new Date(yield* Clock.currentTimeMillis)
  const rows = yield* rowsOf(WhoseRow)(sql`
      SELECT DISTINCT ${sql(whose)} AS whose FROM ${sql(table)} WHERE claimed_until IS NULL OR claimed_until <= ${nowDate}
      ORDER BY 1`)
  return rows.map(({ whose }) => whose)
}, orSqlDefect)

const Claimed = Schema.Struct({ notice_id: Schema.Int })

/** Mails the notices of one owner, one after another; after a failure the rest wait for the next pass. Returns how many were mailed. */
const tellOne = Effect.fnUntraced(function* <E extends { readonly message: string }, R>(
  kind: NoticeKind,
  send: Send<E, R>,
  whose: number
) {
  const sql = yield* Sql
  const table = sql(kind.table)
  let lastNoticeId = 0
  let mailedCount = 0
  for (;;) {
    const millis = yield* Clock.currentTimeMillis
    const claimed = yield* rowOf(Claimed)(sql`
        UPDATE ${table} SET claimed_until = ${new Date(millis + CLAIM_MILLIS)} WHERE notice_id = (
          SELECT notice_id FROM ${table}
          WHERE notice_id > ${String(lastNoticeId)}::bigint AND ${sql(kind.whose ?? "org_id")} = ${whose}
            AND (claimed_until IS NULL OR claimed_until <= ${new Date(millis)})
          ORDER BY notice_id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING notice_id`)
    if (claimed === undefined) return mailedCount
    lastNoticeId = claimed.notice_id
    const mail = yield* kind.mail(lastNoticeId)
    const sendResult = mail === null ? null : yield* Effect.result(send(mail))
    if (sendResult?._tag === "Failure") {
      const { kept = (text: string) => text } = mail!
      yield* Effect.logWarning(`a notice could not be mailed and stays: ${kept(sendResult.failure.message)}`)
      yield* sql`UPDATE ${table} SET claimed_until = NULL WHERE notice_id = ${lastNoticeId}`
      return mailedCount
    }
    yield* sql.withTransaction(
      Effect.gen(function* () {
        if (mail !== null && kind.told !== undefined) yield* kind.told(lastNoticeId)
        yield* sql`DELETE FROM ${table} WHERE notice_id = ${lastNoticeId}`
      })
    )
    if (mail !== null) mailedCount++
  }
}, orSqlDefect)

/**
 * Runs one pass over all notices of a kind.
 * @param send fails if a later pass may succeed; such notices stay, and their organization waits for the next pass.
 * @returns how many were mailed
 */
export const tellNotices = Effect.fnUntraced(function* <E extends { readonly message: string }, R>(
  kind: NoticeKind,
  send: Send<E, R>
) {
  const mailedCounts = yield* Effect.forEach(yield* untold(kind), (whose) => tellOne(kind, send, whose), {
    concurrency: AT_ONCE
  })
  return mailedCounts.reduce((sum, n) => sum + n, 0)
})

/** Runs the passes of a kind in a worker process; a pass does not wait for organizations that an earlier one is still mailing. */
export const noticeRounds = <R>(about: string, kind: Effect.Effect<NoticeKind, never, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const mail = yield* Mail
      const noticeKind = yield* kind
      const mailSlots = yield* Semaphore.make(AT_ONCE)
      const busy = new Set<number>()
      // Permanent failures are logged and dropped, since no later pass can succeed.
      const send = ({ refused = Effect.void, ...notice }: NoticeMail) =>
        mail.send({ ...notice, system: true }).pipe(
          Effect.catchIf(
            (error) => error._tag !== "MailTransportError" || !error.temporary,
            (error) =>
              Effect.andThen(
                Effect.logError(`a notice cannot be mailed: ${(notice.kept ?? String)(error.message)}`),
                orSqlDefect(refused)
              )
          )
        )
      const patiently = <A, E, R1>(effect: Effect.Effect<A, E, R1>) =>
        Effect.catchCause(effect, (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.logWarning(`${about} failed and is tried again`, cause)
        )
      const tell = (whose: number) =>
        Effect.suspend(() => {
          if (busy.has(whose)) return Effect.void
          busy.add(whose)
          const telling = patiently(mailSlots.withPermit(tellOne(noticeKind, send, whose)))
          return Effect.forkScoped(
            Effect.ensuring(
              telling,
              Effect.sync(() => busy.delete(whose))
            )
          )
        })
      yield* Effect.flatMap(untold(noticeKind), (all) => Effect.forEach(all, tell, { discard: true })).pipe(
        patiently,
        Effect.repeat(Schedule.spaced(EVERY)),
        Effect.forkScoped
      )
    })
  )
