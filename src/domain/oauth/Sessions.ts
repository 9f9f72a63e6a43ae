// Browser sessions: server-side, by a random cookie whose hash is stored; a sign-in always starts a new one (decisions O11, O12).
import { createHash } from "node:crypto"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AuditLog, SourceAddress } from "../../ground/audit/AuditLog.ts"
import { cut } from "../../ground/bounds/Bounds.ts"
import { hashToken, randomToken, sameSecret } from "../../ground/sealing/Secrets.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { limits } from "../connections/oauthLimits.ts"

export interface Session {
  readonly session_id: number
  /** Null before the sign-in, and until its second step is done where the person has one. */
  readonly person_id: number | null
  /** Whose password was right, while the second step is open. It opens nothing. */
  readonly pending_person_id: number | null
  /** The cookie's value. */
  readonly token: string
  /** What forms of this session carry. */
  readonly csrf: string
}

const csrfOf = (token: string) => createHash("sha256").update(`csrf ${token}`).digest("base64url")

export const csrfMatches = (session: Session, sent: string | undefined): boolean =>
  sent !== undefined && sameSecret(session.csrf, sent)

/** Of what a browser calls itself. */
const AGENT_LENGTH = 300

/** How stale `last_seen_on` may get before a request writes it. */
const SEEN_EVERY = 10 * 60_000

const SessionRow = Schema.Struct({
  session_id: Schema.Int,
  person_id: Schema.NullOr(Schema.Int),
  pending_person_id: Schema.NullOr(Schema.Int),
  last_seen_on: Schema.Date
})

const SessionId = Schema.Struct({ session_id: Schema.Int })

/** Who a session is of, or is to be of. */
interface Whose {
  readonly personId: number | null
  readonly pendingId: number | null
}

export class Sessions extends Context.Service<
  Sessions,
  {
    readonly find: (token: string | undefined) => Effect.Effect<Session | undefined>
    /** A session without a person, to which an authorization request is bound until the sign-in. */
    readonly begin: Effect.Effect<Session>
    /** The password was right, the second step is open: a new session, still nobody's, with the open requests of the former one. */
    readonly pend: (former: Session | undefined, personId: number) => Effect.Effect<Session>
    /**
     * A new session for the person; the open requests of the former one move to it.
     * @param methods how they were authenticated (RFC 8176)
     */
    readonly signIn: (
      former: Session | undefined,
      personId: number,
      agent?: string,
      methods?: ReadonlyArray<string>
    ) => Effect.Effect<Session>
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
        const now = yield* Clock.currentTimeMillis
        const rows = yield* rowsOf(SessionRow)(sql`
            SELECT session_id, person_id, pending_person_id, last_seen_on FROM sessions
            WHERE token_hash = ${hashToken(token)} AND expires_on > ${new Date(now)}`)
        const row = rows[0]
        if (row === undefined) return undefined
        if (row.person_id !== null && now - row.last_seen_on.getTime() > SEEN_EVERY) {
          yield* sql`
              UPDATE sessions SET last_seen_on = ${new Date(now)}, expires_on = ${new Date(now + limits.sessionIdleMillis)}
              WHERE session_id = ${row.session_id}`
        }
        const { person_id, pending_person_id, session_id } = row
        return { session_id, person_id, pending_person_id, token, csrf: csrfOf(token) }
      }, orSqlDefect)

      const create = Effect.fnUntraced(function* ({ pendingId, personId }: Whose, millis: number, agent?: string) {
        const now = yield* Clock.currentTimeMillis
        const token = randomToken("")
        const rows = yield* rowsOf(SessionId)(sql`
          INSERT INTO sessions (token_hash, person_id, pending_person_id, created_on, last_seen_on, expires_on, agent, source_address)
          VALUES (${hashToken(token)}, ${personId}::bigint, ${pendingId}::bigint, ${new Date(now)}, ${new Date(now)}, ${new Date(now + millis)},
            ${agent === undefined ? null : cut(agent, AGENT_LENGTH)}::text, ${personId === null ? null : yield* SourceAddress}::text)
          RETURNING session_id`)
        const { session_id } = rows[0]!
        return {
          session_id,
          person_id: personId,
          pending_person_id: pendingId,
          token,
          csrf: csrfOf(token)
        } satisfies Session
      })

      // A little longer than the requests it holds, so that a lapsed one can still be told so.
      const begin = create({ personId: null, pendingId: null }, 2 * limits.decisionMillis).pipe(orSqlDefect)

      const replace = Effect.fnUntraced(function* (former: Session | undefined, session: Session) {
        if (former === undefined) return
        yield* sql`
          UPDATE authorization_requests SET session_id = ${session.session_id} WHERE session_id = ${former.session_id}`
        yield* sql`DELETE FROM sessions WHERE session_id = ${former.session_id}`
      })

      const pend = Effect.fn("Sessions.pend")(
        function* (former: Session | undefined, personId: number) {
          const session = yield* create({ personId: null, pendingId: personId }, 2 * limits.decisionMillis)
          yield* replace(former, session)
          return session
        },
        sql.withTransaction,
        orSqlDefect
      )

      const signIn = Effect.fn("Sessions.signIn")(
        function* (
          former: Session | undefined,
          personId: number,
          agent?: string,
          methods = ["pwd"] as ReadonlyArray<string>
        ) {
          const session = yield* create({ personId, pendingId: null }, limits.sessionIdleMillis, agent)
          yield* replace(former, session)
          yield* sql`UPDATE people SET last_sign_in_on = ${new Date(yield* Clock.currentTimeMillis)} WHERE person_id = ${personId}`
          yield* audit.record({ event: "person.signed_in", personId, details: { amr: methods } })
          return session
        },
        sql.withTransaction,
        orSqlDefect
      )

      const signOut = Effect.fn("Sessions.signOut")(function* (session: Session) {
        yield* sql`DELETE FROM sessions WHERE session_id = ${session.session_id}`
        if (session.person_id !== null) yield* audit.record({ event: "person.signed_out", personId: session.person_id })
      }, orSqlDefect)

      return Sessions.of({ find, begin, pend, signIn, signOut })
    })
  )
}
