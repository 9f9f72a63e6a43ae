// Stores the proofs of a session besides its cookie (decisions, "The second step"): the passkey challenge of its browser, good for one
// answer, and the time at which its person last confirmed their identity.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { Session } from "./Sessions.ts"

/** Lifetime of a challenge. */
const CHALLENGE_MILLIS = 5 * 60_000
/** Validity of a confirmed identity. */
const FRESH_MILLIS = 10 * 60_000

const Challenge = Schema.Struct({ challenge: Schema.String })
const Shown = Schema.Struct({ fresh: Schema.Boolean })

/** The person has to confirm their identity first. */
export class ConfirmationRequired extends Schema.TaggedError<ConfirmationRequired>()("ConfirmationRequired", {}) {}

export class SessionProofs extends Context.Service<
  SessionProofs,
  {
    /** Stores the challenge sent to the session's browser; the former challenge is void. */
    readonly ask: (session: Session, challenge: string) => Effect.Effect<void>
    /** Returns the challenge once and deletes it; undefined if there is none or it has expired. */
    readonly asked: (session: Session) => Effect.Effect<string | undefined>
    /** Records that the person has confirmed their identity now. */
    readonly confirm: (session: Session) => Effect.Effect<void>
    /**
     * True if the person confirmed their identity within the last ten minutes.
     * @param orSignedIn a sign-in within these minutes counts too
     */
    readonly isFresh: (session: Session, orSignedIn: boolean) => Effect.Effect<boolean>
    /** Fails unless the proof is fresh, by the rule of `isFresh`. */
    readonly require: (session: Session, orSignedIn: boolean) => Effect.Effect<void, ConfirmationRequired>
  }
>()("millrace/oauth/SessionProofs") {
  static readonly layer = Layer.effect(
    SessionProofs,
    Effect.gen(function* () {
      const sql = yield* Sql

      const ask = Effect.fn("SessionProofs.ask")(function* ({ session_id }: Session, challenge: string) {
        const until = new Date((yield* Clock.currentTimeMillis) + CHALLENGE_MILLIS)
        yield* sql`
          UPDATE sessions SET challenge = ${challenge}, challenge_expires_on = ${until} WHERE session_id = ${session_id}`
      }, orSqlDefect)

      const takeChallenge = Effect.fn("SessionProofs.asked")(function* ({ session_id }: Session) {
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        const row = yield* rowOf(Challenge)(sql`
          WITH former AS (
            SELECT session_id, challenge FROM sessions
            WHERE session_id = ${session_id} AND challenge_expires_on > ${nowDate} FOR UPDATE)
          UPDATE sessions s SET challenge = NULL, challenge_expires_on = NULL FROM former
          WHERE s.session_id = former.session_id RETURNING former.challenge`)
        return row?.challenge
      }, orSqlDefect)

      const confirm = Effect.fn("SessionProofs.confirm")(function* ({ session_id }: Session) {
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        yield* sql`UPDATE sessions SET confirmed_on = ${nowDate} WHERE session_id = ${session_id}`
      }, orSqlDefect)

      const isFresh = Effect.fn("SessionProofs.isFresh")(function* ({ session_id }: Session, orSignedIn: boolean) {
        const since = new Date((yield* Clock.currentTimeMillis) - FRESH_MILLIS)
        const row = yield* rowOf(Shown)(sql`
          SELECT coalesce(confirmed_on > ${since}, false) OR (${orSignedIn} AND created_on > ${since}) AS fresh
          FROM sessions WHERE session_id = ${session_id}`)
        return row?.fresh === true
      }, orSqlDefect)

      const requireProof = Effect.fn("SessionProofs.require")(function* (session: Session, orSignedIn: boolean) {
        if (!(yield* isFresh(session, orSignedIn))) return yield* new ConfirmationRequired()
      })

      return SessionProofs.of({ ask, asked: takeChallenge, confirm, isFresh, require: requireProof })
    })
  )
}
