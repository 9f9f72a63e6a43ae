// Resolves an access token to its user in one query on every request: when a connection ends, every process rejects its tokens from the
// next request on (service.md 3.2; decisions O14).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { OrgRole } from "../accounts/Caller.ts"
import { makeCallerLookup, type WantedColumns, type WantedFacts } from "../accounts/callerFacts.ts"
import { Scope } from "../accounts/Scope.ts"

const columns = {
  connection_id: Schema.Int,
  client_id: Schema.String,
  user_id: Schema.Int,
  org_id: Schema.Int,
  person_id: Schema.Int,
  role: OrgRole,
  scopes: Schema.Array(Scope),
  issued_on: Schema.Date,
  expires_on: Schema.Date
}
export type AccessToken = Schema.Struct.Type<typeof columns & WantedColumns>

export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /**
     * The token as it stands now; `undefined` if expired, revoked, disconnected, blocked or never issued, without distinction.
     * @param wanted facts to read with it
     */
    readonly find: (token: string, wanted?: WantedFacts) => Effect.Effect<AccessToken | undefined>
  }
>()("millrace/connections/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const sql = yield* Sql
      const findRow = yield* makeCallerLookup(
        sql,
        columns,
        ({ columns, joins, tokenHash }) => sql`
          SELECT a.connection_id, c.client_id, c.user_id, c.org_id, u.person_id, u.role, a.scopes, a.issued_on, a.expires_on${columns}
          FROM access_tokens a
          JOIN connections c USING (connection_id)
          JOIN users u ON u.user_id = c.user_id ${joins}
          WHERE a.token_hash = ${tokenHash} AND a.revoked_on IS NULL
            AND c.ended_on IS NULL AND u.status = 'active' AND u.role <> 'guest'`
      )
      const find = Effect.fnUntraced(function* (token: string, wanted?: WantedFacts) {
        const row = yield* findRow(token, wanted)
        return row === undefined || row.expires_on.getTime() <= (yield* Clock.currentTimeMillis) ? undefined : row
      }, orSqlDefect)
      return AccessTokens.of({ find })
    })
  )
}
