// The statements of a refresh (service.md 3.2, 4.1; decisions O2): the token with all that its checks look at, and the one atomic statement
// that uses it up and issues the next pair. What is asked in one turn of the event loop shares them; each token's outcome is its own.
import { Effect } from "effect"
import { hashToken } from "../../../../ground/sealing/Secrets.ts"
import { isLost } from "../../../../ground/sql/away.ts"
import { atMost } from "../../../../ground/sql/given.ts"
import { rowsOf } from "../../../../ground/sql/rows.ts"
import { Sql } from "../../../../ground/sql/Sql.ts"
import { gathering } from "../../../../ground/sql/together.ts"
import type { Scope } from "../../../accounts/Scope.ts"
import { limits } from "../../../connections/oauthLimits.ts"
import { usesAllowed } from "./notReplayed.ts"
import { FoundRefreshToken, type HeldRefreshToken, Rotated } from "./Refresh.ts"

export interface Rotation {
  readonly token: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: ReadonlyArray<Scope>
  readonly now: number
  readonly expiresAt: number
}

const hexOf = (token: string) => Buffer.from(hashToken(token)).toString("hex")

export const makeRotation = Effect.gen(function* () {
  const sql = yield* Sql
  const gather = yield* gathering(sql)

  /** The token with its connection; asked for beside the client's authentication, so that both are one round trip. */
  const find = gather((tokens: ReadonlyArray<string>) =>
    Effect.map(
      rowsOf(FoundRefreshToken)(sql`
        SELECT asked.place, r.uses, r.first_used_on, c.connection_id, c.client_id, c.user_id, c.org_id, c.scopes, c.last_token_on,
          c.expires_on, c.ended_on, u.status, u.role, 'all' AS mode, p.access, b.user_id IS NOT NULL AS user_blocked
        FROM ${atMost(
          sql,
          tokens.length,
          sql`jsonb_to_recordset(${JSON.stringify(tokens.map((token, place) => ({ place, hash: hexOf(token) })))}::jsonb)
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

  // Tokens are locked in the order of their hashes, connections in that of their ids, lest two statements wait for each other. The grace rule
  // stands here once more, so that parallel re-sends cannot exceed it.
  const rotateOnce = (rotations: ReadonlyArray<Rotation>) =>
    Effect.map(
      rowsOf(Rotated)(sql`
        WITH g AS MATERIALIZED (SELECT * FROM ${atMost(
          sql,
          rotations.length,
          sql`jsonb_to_recordset(${JSON.stringify(
            rotations.map(({ accessToken, expiresAt, now, refreshToken, scopes, token }, place) => ({
              place,
              token: hexOf(token),
              access: hexOf(accessToken),
              refresh: hexOf(refreshToken),
              scopes,
              now: new Date(now),
              first_at_least: new Date(now - limits.resendGraceMillis),
              expires_on: new Date(expiresAt)
            }))
          )}::jsonb) AS j (place int, token text, access text, refresh text, scopes text[], now timestamptz, first_at_least timestamptz,
            expires_on timestamptz)`
        )}), held AS MATERIALIZED (
          SELECT r.token_hash, g.* FROM g JOIN refresh_tokens r ON r.token_hash = decode(g.token, 'hex')
          ORDER BY g.token FOR NO KEY UPDATE OF r
        ), used AS (
          UPDATE refresh_tokens r SET uses = r.uses + 1, first_used_on = coalesce(r.first_used_on, held.now) FROM held
          WHERE r.token_hash = held.token_hash
            AND (r.uses = 0 OR (r.uses < ${usesAllowed} AND r.first_used_on >= held.first_at_least))
          RETURNING r.connection_id, held.place, held.access, held.refresh, held.scopes, held.now, held.expires_on
        ), lasting AS MATERIALIZED (
          SELECT c.connection_id, t.now FROM (SELECT connection_id, max(now) AS now FROM used GROUP BY connection_id) t
          JOIN connections c USING (connection_id) WHERE c.ended_on IS NULL ORDER BY c.connection_id FOR NO KEY UPDATE OF c
        ), live AS (
          UPDATE connections c SET last_token_on = greatest(c.last_token_on, lasting.now) FROM lasting
          WHERE c.connection_id = lasting.connection_id AND c.ended_on IS NULL
          RETURNING c.connection_id
        ), access AS (
          INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
          SELECT decode(access, 'hex'), connection_id, scopes, now, expires_on FROM used JOIN live USING (connection_id)
        ), refresh AS (
          INSERT INTO refresh_tokens (token_hash, connection_id, issued_on)
          SELECT decode(refresh, 'hex'), connection_id, now FROM used JOIN live USING (connection_id)
        )
        SELECT place FROM used JOIN live USING (connection_id)`),
      (rows) => {
        const done = new Set(rows.map(({ place }) => place))
        return rotations.map((_, place) => done.has(place))
      }
    )

  /** Whether it was done; false: the token has been used meanwhile. One that fails takes none of the others with it. */
  const rotate = gather(
    (rotations: ReadonlyArray<Rotation>) =>
      rotateOnce(rotations).pipe(
        Effect.map((done) => done.map((one) => Effect.succeed(one))),
        Effect.catchIf(
          (error) => rotations.length > 1 && !isLost(error),
          () => Effect.succeed(rotations.map((one) => Effect.map(rotateOnce([one]), ([done]) => done!)))
        )
      ),
    ({ token }) => token
  )

  return { find, rotate: (rotation: Rotation) => Effect.flatten(rotate(rotation)) }
})
