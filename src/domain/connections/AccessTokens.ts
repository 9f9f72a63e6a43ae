// From an access token to its user, in one query, on every request: nothing is cached, so that an ended connection stops its
// tokens on the next request in every process (service.md 3.2; decisions O14).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { hashToken } from "../../ground/sealing/Secrets.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { OrgRole } from "../accounts/Caller.ts"
import { type CallerWants, makeWanted, wantedColumns } from "../accounts/CallerWants.ts"
import { Scope } from "../accounts/Scope.ts"

export const AccessToken = Schema.Struct({
  ...wantedColumns,
  connection_id: Schema.Int,
  client_id: Schema.String,
  user_id: Schema.Int,
  org_id: Schema.Int,
  person_id: Schema.Int,
  role: OrgRole,
  scopes: Schema.Array(Scope),
  issued_on: Schema.Date,
  expires_on: Schema.Date
})
export type AccessToken = typeof AccessToken.Type

export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /**
     * The token as it stands now; `undefined` when expired, revoked, disconnected, blocked or never issued: all alike.
     * @param wanted what is to be known with it
     */
    readonly find: (token: string, wanted?: CallerWants) => Effect.Effect<AccessToken | undefined>
  }
>()("millrace/connections/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const sql = yield* Sql
      const wantedOf = makeWanted(sql)
      const find = Effect.fnUntraced(function* (token: string, wanted: CallerWants = {}) {
        const more = wantedOf(wanted)
        const now = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* rowsOf(AccessToken)(sql`
            SELECT a.connection_id, c.client_id, c.user_id, c.org_id, u.person_id, u.role, a.scopes, a.issued_on, a.expires_on${more.columns}${more.facts}
            FROM access_tokens a
            JOIN connections c USING (connection_id)
            JOIN users u ON u.user_id = c.user_id ${more.joins}
            WHERE a.token_hash = ${hashToken(token)} AND a.expires_on > ${now} AND a.revoked_on IS NULL
              AND c.ended_on IS NULL AND u.status = 'active' AND u.role <> 'guest'`)
        return rows[0]
      }, orSqlDefect)
      return AccessTokens.of({ find })
    })
  )
}
