// Browser sessions: server-side, by a random cookie whose hash is stored; a sign-in always starts a new one (decisions O11, O12).
import { createHash } from "node:crypto"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AuditLog, SourceAddress } from "../../platform/audit/AuditLog.ts"
import { cut } from "../../platform/bounds/cut.ts"
import { hashToken, randomToken, sameSecret } from "../../platform/sealing/Secrets.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { stillSet } from "../accounts/storedPasswords.ts"
import { limits } from "../connections/oauthLimits.ts"

export interface Session {
  readonly session_id: number
  /** Null before the sign-in, and until the second step is done if the person has one. */
  readonly person_id: number | null
  /** Person whose password was right, while the second step is open. It grants no access. */
  readonly pending_person_id: number | null
  /** The cookie's value. */
  readonly token: string
  /** CSRF token in the forms of this session. */
  readonly csrf: string
}

const csrfOf = (token: string) => createHash("sha256").update(`csrf ${token}`).digest("base64url")

export const csrfMatches = (session: Session, sent: string | undefined): boolean =>
  sent !== undefined && sameSecret(session.csrf, sent)

/** Maximum stored length of the browser's user agent. */
const AGENT_LENGTH = 300

/** Maximum staleness of `last_seen_on` before a request writes it, and the lifetime of the session from then on. */
const ofPerson = { seenEvery: 10 * 60_000, idleMillis: limits.sessionIdleMillis }
/**
 * Sessions without a person outlive the requests bound to them: a request made late in a session has its full time, and can still be
 * reported as lapsed (O19).
 */
const ofNobody = { seenEvery: limits.decisionMillis / 2, idleMillis: 2 * limits.decisionMillis }
/** Half-done sign-ins lapse. */
const PENDING_MILLIS = 2 * limits.decisionMillis

const SessionRow = Schema.Struct({
  session_id: Schema.Int,
  person_id: Schema.NullOr(Schema.Int),
  pending_person_id: Schema.NullOr(Schema.Int),
  last_seen_on: Schema.Date
})

const SessionId = Schema.Struct({ session_id: Schema.Int })

/** Person for whom a session begins, by a password that was right or by another proof. */
export interface Entering {
  readonly person_id: number
  readonly password_set?: string | null
}

/** The proof of the person no longer holds: another password was set, a second step was set up, or their half-done sign-in was ended. */
export class SignInOvertaken extends Schema.TaggedError<SignInOvertaken>()("SignInOvertaken", {}) {}

export class Sessions extends Context.Service<
  Sessions,
  {
    readonly find: (token: string | undefined) => Effect.Effect<Session | undefined>
    /** A session without a person, to which an authorization request is bound until the sign-in. */
    readonly begin: Effect.Effect<Session>
    /**
     * Begins a session without a person after a right password, while the second step is open; the open requests of the former session move
     * to it.
     */
    readonly pend: (former: Session | undefined, person: Entering) => Effect.Effect<Session, SignInOvertaken>
    /**
     * A new session for the person; the open requests of the former one move to it. Where that waited for the person's second step, it must be
     * there still; otherwise they must have none.
     * @param methods how they were authenticated (RFC 8176)
     */
    readonly signIn: (
      former: Session | undefined,
      person: Entering,
      agent?: string,
      methods?: ReadonlyArray<string>
    ) => Effect.Effect<Session, SignInOvertaken>
    readonly signOut: (session: Session) => Effect.Effect<void>
  }
>()("millrace/oauth/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog

      const find = Effect.fnUntraced(function* (token: string | undefined) {
        if (token === undefined || token.length > 200) return undefined
        const nowMillis = yield* Clock.currentTimeMillis
        const rows = yield* rowsOf(SessionRow)(sql`
            SELECT session_id, person_id, pending_person_id, last_seen_on FROM sessions
            WHERE token_hash = ${hashToken(token)} AND expires_on > ${new Date(nowMillis)}`)
        const row = rows[0]
        if (row === undefined) return undefined
        const { person_id, pending_person_id, session_id } = row
        const { seenEvery, idleMillis } = person_id === null ? ofNobody : ofPerson
        if (pending_person_id === null && nowMillis - row.last_seen_on.getTime() > seenEvery) {
          yield* sql`
              UPDATE sessions SET last_seen_on = ${new Date(nowMillis)}, expires_on = ${new Date(nowMillis + idleMillis)}
              WHERE session_id = ${session_id}`
        }
        return { session_id, person_id, pending_person_id, token, csrf: csrfOf(token) }
      }, orSqlDefect)

      const stillHolds = ({ password_set }: Entering) =>
        password_set === undefined ? sql`true` : stillSet(sql, { password_set })

      /**
       * Creates a session. Locks the person until the commit: a concurrent password change ends this session, or came first, and then there
       * is none.
       */
      const create = Effect.fnUntraced(function* (
        of: "nobody" | { readonly person: Entering; readonly pending: boolean },
        millis: number,
        agent?: string
      ) {
        const nowMillis = yield* Clock.currentTimeMillis
        const token = randomToken("")
        const personId = of === "nobody" || of.pending ? null : of.person.person_id
        const pendingId = of !== "nobody" && of.pending ? of.person.person_id : null
        const rows = yield* rowsOf(SessionId)(sql`
          INSERT INTO sessions (token_hash, person_id, pending_person_id, created_on, last_seen_on, expires_on, agent, source_address)
          SELECT ${hashToken(token)}::bytea, ${personId}::bigint, ${pendingId}::bigint, ${new Date(nowMillis)}::timestamptz,
            ${new Date(nowMillis)}::timestamptz, ${new Date(nowMillis + millis)}::timestamptz,
            ${agent === undefined ? null : cut(agent, AGENT_LENGTH)}::text, ${personId === null ? null : yield* SourceAddress}::text
          ${of === "nobody" ? sql`` : sql`FROM people WHERE person_id = ${of.person.person_id} AND ${stillHolds(of.person)} FOR NO KEY UPDATE`}
          RETURNING session_id`)
        if (rows[0] === undefined) return yield* new SignInOvertaken()
        const session: Session = {
          session_id: rows[0].session_id,
          person_id: personId,
          pending_person_id: pendingId,
          token,
          csrf: csrfOf(token)
        }
        return session
      })

      const begin = create("nobody", ofNobody.idleMillis).pipe(
        Effect.catchTag("SignInOvertaken", Effect.die),
        orSqlDefect
      )

      /** Replaces the former session; true if it still existed. */
      const replace = Effect.fnUntraced(function* (former: Session | undefined, session: Session) {
        if (former === undefined) return false
        // Waits for a request that is just arriving, which holds this lock: it moves too.
        yield* sql`SELECT 1 FROM sessions WHERE session_id = ${former.session_id} FOR UPDATE`
        yield* sql`
          UPDATE authorization_requests SET session_id = ${session.session_id} WHERE session_id = ${former.session_id}`
        return (yield* sql`DELETE FROM sessions WHERE session_id = ${former.session_id} RETURNING 1`).length > 0
      })

      const hasFactor = (personId: number) =>
        Effect.map(sql`SELECT 1 FROM factors WHERE person_id = ${personId} LIMIT 1`, (rows) => rows.length > 0)

      const pend = Effect.fn("Sessions.pend")(
        function* (former: Session | undefined, person: Entering) {
          const session = yield* create({ person, pending: true }, PENDING_MILLIS)
          yield* replace(former, session)
          return session
        },
        sql.withTransaction,
        orSqlDefect
      )

      const signIn = Effect.fn("Sessions.signIn")(
        function* (
          former: Session | undefined,
          person: Entering,
          agent?: string,
          methods = ["pwd"] as ReadonlyArray<string>
        ) {
          const personId = person.person_id
          const session = yield* create({ person, pending: false }, ofPerson.idleMillis, agent)
          const replaced = yield* replace(former, session)
          // Under the person's lock: who sets up a first second step has done so before, and is seen, or ends this session.
          const holds = former?.pending_person_id === personId ? replaced : !(yield* hasFactor(personId))
          if (!holds) return yield* new SignInOvertaken()
          yield* sql`UPDATE people SET last_sign_in_on = ${new Date(yield* Clock.currentTimeMillis)} WHERE person_id = ${personId}`
          yield* audit.record({ event: "person.signed_in", personId, details: { amr: methods } })
          return session
        },
        sql.withTransaction,
        orSqlDefect
      )

      const signOut = Effect.fn("Sessions.signOut")(
        function* (session: Session) {
          yield* sql`DELETE FROM sessions WHERE session_id = ${session.session_id}`
          if (session.person_id !== null)
            yield* audit.record({ event: "person.signed_out", personId: session.person_id })
        },
        sql.withTransaction,
        orSqlDefect
      )

      return Sessions.of({ find, begin, pend, signIn, signOut })
    })
  )
}
