// Notices by mail to admins and owners (decisions W1; developer-api.md 7.2, 7.11): rows written in the transaction of their cause,
// mailed by a round every few seconds. A round claims a notice before it mails it, so that several processes send it once; after
// a crash in between another takes it over, and its message id keeps what had gone out from going out again.
import { Cause, Clock, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Mail } from "./Mail.ts"

const EVERY = "5 seconds"
/** Longer than a mail may take. */
const CLAIM_MILLIS = 300_000

export interface NoticeMail {
  readonly orgId: number
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** The same when the mail is sent again: the mail room sends it once. */
  readonly messageId: string
}

export interface NoticeKind {
  /** Its rows have `notice_id`, `org_id` and `claimed_until`. */
  readonly table: string
  /** As things are now; null: there is nobody or nothing left to tell. */
  readonly mail: (noticeId: number) => Effect.Effect<NoticeMail | null, SqlError>
  /** What else is written when it has been mailed. */
  readonly told?: (noticeId: number) => Effect.Effect<unknown, SqlError>
}

/**
 * One round over all notices of a kind.
 * @param send fails where a later round may succeed; such notices stay, and their organization waits for the next round.
 * @returns how many were mailed
 */
export const tellNotices = Effect.fnUntraced(
  function* <E extends { readonly message: string }, R>(
    kind: NoticeKind,
    send: (mail: NoticeMail) => Effect.Effect<unknown, E, R>
  ) {
    const sql = yield* SqlClient.SqlClient
    const table = sql(kind.table)
    const waiting: Array<string> = []
    let last = 0
    let told = 0
    for (;;) {
      const millis = yield* Clock.currentTimeMillis
      const [claimed] = yield* sql<{ notice_id: number; org_id: number }>`
        UPDATE ${table} SET claimed_until = ${new Date(millis + CLAIM_MILLIS)} WHERE notice_id = (
          SELECT notice_id FROM ${table}
          WHERE notice_id > ${String(last)}::bigint AND org_id <> ALL(${waiting}::text[]::bigint[])
            AND (claimed_until IS NULL OR claimed_until <= ${new Date(millis)})
          ORDER BY notice_id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING notice_id, org_id`
      if (claimed === undefined) return told
      last = claimed.notice_id
      const mail = yield* kind.mail(last)
      const sent = mail === null ? null : yield* Effect.result(send(mail))
      if (sent?._tag === "Failure") {
        yield* Effect.logWarning(`a notice could not be mailed and stays: ${sent.failure.message}`)
        yield* sql`UPDATE ${table} SET claimed_until = NULL WHERE notice_id = ${last}`
        waiting.push(String(claimed.org_id))
        continue
      }
      yield* sql.withTransaction(
        Effect.gen(function* () {
          if (mail !== null && kind.told !== undefined) yield* kind.told(last)
          yield* sql`DELETE FROM ${table} WHERE notice_id = ${last}`
        })
      )
      if (mail !== null) told++
    }
  },
  Effect.catchTag("SqlError", Effect.die)
)

/** The rounds of a kind in a worker process. A round that fails says so, and the next one tries again. */
export const noticeRounds = <R>(about: string, kind: Effect.Effect<NoticeKind, never, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const mail = yield* Mail
      const of = yield* kind
      // What no later round can heal is said and let go.
      const send = (notice: NoticeMail) =>
        mail.send({ ...notice, system: true }).pipe(
          Effect.catchIf(
            (error) => error._tag !== "MailTransportError" || !error.temporary,
            (error) => Effect.logError(`a notice cannot be mailed: ${error.message}`)
          )
        )
      yield* tellNotices(of, send).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.logWarning(`${about} failed and is tried again`, cause)
        ),
        Effect.repeat(Schedule.spaced(EVERY)),
        Effect.forkScoped
      )
    })
  )
