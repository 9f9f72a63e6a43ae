// Token revocation (RFC 7009): an access token alone, or a connection by any of its refresh tokens, used ones too (decisions O17).
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { hashToken } from "../../platform/sealing/Secrets.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { Client } from "./clients/Client.ts"

const RevokedFor = Schema.Struct({ connection_id: Schema.Int, user_id: Schema.Int, org_id: Schema.Int })

export class Revocation extends Context.Service<
  Revocation,
  {
    /** Does nothing for an unknown, already revoked or other client's token: the answer is the same (service.md 4.1). */
    readonly revoke: (client: Client, token: string) => Effect.Effect<void>
  }
>()("millrace/oauth/Revocation") {
  static readonly layer = Layer.effect(
    Revocation,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog

      const revoke = Effect.fn("Revocation.revoke")(
        function* ({ client_id: clientId }: Client, token: string) {
          const nowDate = new Date(yield* Clock.currentTimeMillis)
          const hash = hashToken(token)
          const endedConnections = yield* rowsOf(RevokedFor)(sql`
            UPDATE connections c SET ended_on = ${nowDate}, ended_by = 'app' FROM refresh_tokens r
            WHERE r.token_hash = ${hash} AND c.connection_id = r.connection_id AND c.client_id = ${clientId}
              AND c.ended_on IS NULL
            RETURNING c.connection_id, c.user_id, c.org_id`)
          const revoked = yield* rowsOf(RevokedFor)(sql`
            UPDATE access_tokens a SET revoked_on = ${nowDate} FROM connections c
            WHERE a.token_hash = ${hash} AND c.connection_id = a.connection_id AND c.client_id = ${clientId}
              AND a.revoked_on IS NULL
            RETURNING c.connection_id, c.user_id, c.org_id`)
          const row = endedConnections[0] ?? revoked[0]
          if (row === undefined) return
          yield* audit.record({
            event: endedConnections.length > 0 ? "connection.ended" : "access_token.revoked",
            orgId: row.org_id,
            userId: row.user_id,
            clientId,
            connectionId: row.connection_id,
            details: { by: "app" }
          })
        },
        sql.withTransaction,
        orSqlDefect
      )
      return Revocation.of({ revoke })
    })
  )
}
