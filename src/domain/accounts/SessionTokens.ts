// Tokens with which signed-in pages call the API, held in the page's memory: each lasts ten minutes and acts as its session, with all of
// the user's rights, like a user API key (developer-api.md 1.7). A token ends with its session, or when the organization requires a second
// step that the person lacks (factorPolicy.ts). It is looked up on every request like any credential (decisions O14).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { hashToken, randomToken } from "../../platform/sealing/Secrets.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { OrgRole } from "./Caller.ts"
import { makeCallerLookup, type ResolvedCaller, type WantedFacts } from "./callerFacts.ts"
import { prefixes } from "./credentialPrefixes.ts"
import { userOf } from "./credentialUser.ts"
import { keptOutFrom, withoutFactor } from "./factorPolicy.ts"

export const sessionTokenSeconds = 600

/** Maximum number of tokens of one session; a further one ends the oldest. */
export const tokensPerSession = 50

const columns = {
  session_id: Schema.Int,
  expires_on: Schema.Date,
  session_ends_on: Schema.Date,
  /** Null if the organization does not shut them out because they lack a second step. */
  kept_out_from: Schema.NullOr(Schema.Date),
  user_id: Schema.Int,
  org_id: Schema.Int,
  person_id: Schema.Int,
  role: OrgRole
}

const Minted = Schema.Struct({ user_id: Schema.Int })

export class SessionTokens extends Context.Service<
  SessionTokens,
  {
    /** `undefined` when the session has just ended, or the user is no longer an active one of its person. */
    readonly mint: (sessionId: number, userId: number) => Effect.Effect<string | undefined>
    /** @param wanted facts to read with the caller */
    readonly resolve: (token: string, wanted?: WantedFacts) => Effect.Effect<ResolvedCaller | null>
  }
>()("millrace/accounts/SessionTokens") {
  static readonly layer = Layer.effect(
    SessionTokens,
    Effect.gen(function* () {
      const sql = yield* Sql
      const find = yield* makeCallerLookup(
        sql,
        columns,
        ({ columns, joins, tokenHash }) => sql`
          SELECT s.session_id, t.expires_on, s.expires_on AS session_ends_on, ${keptOutFrom(sql)} AS kept_out_from, u.user_id, u.org_id, u.person_id, u.role${columns}
          FROM session_tokens t JOIN sessions s USING (session_id)
            JOIN users u ON u.user_id = t.user_id AND u.person_id = s.person_id ${joins}
          WHERE t.token_hash = ${tokenHash} AND u.status = 'active'`
      )
      const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

      // Locks the session, which orders its tokens and waits for a concurrent sign-out.
      const mint = Effect.fn("SessionTokens.mint")(
        function* (sessionId: number, userId: number) {
          const mintedAt = yield* currentTime
          const session = yield* sql`
            SELECT 1 FROM sessions WHERE session_id = ${sessionId} AND expires_on > ${mintedAt} FOR NO KEY UPDATE`
          if (session.length === 0) return undefined
          yield* sql`
            DELETE FROM session_tokens WHERE session_id = ${sessionId} AND (expires_on <= ${mintedAt} OR token_hash IN (
              SELECT token_hash FROM session_tokens WHERE session_id = ${sessionId}
              ORDER BY expires_on DESC OFFSET ${tokensPerSession - 1}))`
          const token = randomToken(prefixes.sessionToken)
          const row = yield* rowOf(Minted)(sql`
            INSERT INTO session_tokens (token_hash, session_id, user_id, expires_on)
            SELECT ${hashToken(token)}, s.session_id, u.user_id, ${new Date(mintedAt.getTime() + sessionTokenSeconds * 1000)}::timestamptz
            FROM sessions s JOIN users u USING (person_id)
            WHERE s.session_id = ${sessionId} AND u.user_id = ${userId} AND u.status = 'active' AND NOT ${withoutFactor(sql, mintedAt)}
            RETURNING user_id`)
          return row === undefined ? undefined : token
        },
        sql.withTransaction,
        orSqlDefect
      )

      const resolve = Effect.fnUntraced(function* (
        token: string,
        wanted: WantedFacts = {}
      ): Effect.fn.Return<ResolvedCaller | null, never> {
        const row = yield* orSqlDefect(find(token, wanted))
        const nowDate = yield* currentTime
        if (row === undefined || row.expires_on <= nowDate || row.session_ends_on <= nowDate) return null
        if (row.kept_out_from !== null && row.kept_out_from <= nowDate) return null
        return {
          ...userOf(row, wanted),
          credential: { type: "session", id: row.session_id, clientId: null, expiresOn: row.expires_on },
          scopes: "all",
          selection: "all"
        }
      })

      return SessionTokens.of({ mint, resolve })
    })
  )
}
