// Token introspection for the operator's own services, and for nobody else (RFC 7662; service.md 2.5; decisions O20).
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { hashToken } from "../../platform/sealing/Secrets.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { prefixes } from "../accounts/credentialPrefixes.ts"
import { AccessTokens } from "../connections/AccessTokens.ts"
import { isActive, Lifetime, lapsesAt } from "../connections/Connection.ts"
import { shutsOut, standingsOf } from "../connections/connectPermission.ts"
import type { Client } from "./clients/Client.ts"
import { type OAuthRefused, refuse } from "./reasons.ts"

export type IntrospectionResponse =
  | { readonly active: false }
  | {
      readonly active: true
      readonly scope: string
      readonly client_id: string
      /** `Bearer` for an access token, `refresh_token` for a refresh token. */
      readonly token_type: string
      readonly exp?: number
      readonly iat: number
      readonly sub: string
      readonly svc_user_id: number
      readonly svc_organization_id: number
    }

const RefreshRow = Schema.Struct({
  ...Lifetime.fields,
  client_id: Schema.String,
  user_id: Schema.Int,
  org_id: Schema.Int,
  scopes: Schema.Array(Schema.String),
  issued_on: Schema.Date,
  spent: Schema.Boolean
})

const inactive: IntrospectionResponse = { active: false }
const seconds = (millis: number) => Math.floor(millis / 1000)

/** Refuses every client but the operator's own services (service.md 2.5, decisions O20). */
export const mayIntrospect = ({ client_id, own_service }: Client): Result.Result<void, OAuthRefused> =>
  own_service ? Result.void : Result.fail(refuse("CLIENT_AUTH_FAILED", { clientId: client_id }))

export class Introspection extends Context.Service<
  Introspection,
  { readonly introspect: (token: string) => Effect.Effect<IntrospectionResponse> }
>()("millrace/oauth/Introspection") {
  static readonly layer = Layer.effect(
    Introspection,
    Effect.gen(function* () {
      const sql = yield* Sql
      const accessTokens = yield* AccessTokens

      const accessToken = Effect.fnUntraced(function* (token: string) {
        const tokenRow = yield* accessTokens.find(token)
        if (tokenRow === undefined) return inactive
        return {
          active: true,
          scope: tokenRow.scopes.join(" "),
          client_id: tokenRow.client_id,
          token_type: "Bearer",
          exp: seconds(tokenRow.expires_on.getTime()),
          iat: seconds(tokenRow.issued_on.getTime()),
          sub: String(tokenRow.user_id),
          svc_user_id: tokenRow.user_id,
          svc_organization_id: tokenRow.org_id
        } satisfies IntrospectionResponse
      })

      /** A public client's used refresh token is not active, though it may be sent again within its grace. */
      const refreshToken = Effect.fnUntraced(function* (token: string) {
        const rows = yield* rowsOf(RefreshRow)(sql`
            SELECT c.client_id, c.user_id, c.org_id, c.scopes, c.last_token_on, c.expires_on, c.ended_on, r.issued_on,
              r.uses > 0 AS spent
            FROM refresh_tokens r JOIN connections c USING (connection_id)
            WHERE r.token_hash = ${hashToken(token)}`)
        const row = rows[0]
        const nowMillis = yield* Clock.currentTimeMillis
        if (row === undefined || row.spent || !isActive(row, nowMillis)) return inactive
        const userStanding = (yield* standingsOf(sql, [row.user_id], row.client_id))[0]
        if (userStanding === undefined || shutsOut(userStanding) !== undefined) return inactive
        return {
          active: true,
          scope: row.scopes.join(" "),
          client_id: row.client_id,
          token_type: "refresh_token",
          exp: seconds(lapsesAt(row)),
          iat: seconds(row.issued_on.getTime()),
          sub: String(row.user_id),
          svc_user_id: row.user_id,
          svc_organization_id: row.org_id
        } satisfies IntrospectionResponse
      }, orSqlDefect)

      const introspect = Effect.fn("Introspection.introspect")(
        (token: string): Effect.Effect<IntrospectionResponse> => {
          if (token.startsWith(prefixes.accessToken)) return accessToken(token)
          return token.startsWith(prefixes.refreshToken) ? refreshToken(token) : Effect.succeed(inactive)
        }
      )
      return Introspection.of({ introspect })
    })
  )
}
