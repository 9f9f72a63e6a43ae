// Refresh tokens with all facts that the checks of a refresh read. Lookups of one event loop iteration share one statement.
import { Effect } from "effect"
import { hexOfToken } from "../../../../platform/sealing/Secrets.ts"
import { loadBatched } from "../../../../platform/sql/dataLoader.ts"
import { atMost } from "../../../../platform/sql/listParameters.ts"
import { rowsOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { FoundRefreshToken, type HeldRefreshToken } from "./Refresh.ts"

/** Reads tokens concurrently with the client's authentication, so that both are one round trip. */
export const makeRefreshTokens = Effect.flatMap(Sql, (sql) =>
  loadBatched(sql, (tokens: ReadonlyArray<string>) =>
    Effect.map(
      rowsOf(FoundRefreshToken)(sql`
        SELECT asked.place, r.uses, r.first_used_on, c.connection_id, c.client_id, c.user_id, c.org_id, c.scopes, c.last_token_on,
          c.expires_on, c.ended_on, u.status, u.role, 'all' AS mode, p.access, b.user_id IS NOT NULL AS user_blocked
        FROM ${atMost(
          sql,
          tokens.length,
          sql`jsonb_to_recordset(${JSON.stringify(tokens.map((token, place) => ({ place, hash: hexOfToken(token) })))}::jsonb)
            AS j (place int, hash text)`,
          "asked"
        )}
        JOIN refresh_tokens r ON r.token_hash = decode(asked.hash, 'hex')
        JOIN connections c USING (connection_id)
        JOIN users u ON u.user_id = c.user_id
        LEFT JOIN org_app_policies p ON p.org_id = c.org_id AND p.client_id = c.client_id
        LEFT JOIN org_app_user_blocks b ON b.user_id = c.user_id AND b.client_id = c.client_id`),
      (rows) => {
        const answers = new Array<HeldRefreshToken | undefined>(tokens.length).fill(undefined)
        for (const row of rows) answers[row.place] = row
        return answers
      }
    )
  )
)
