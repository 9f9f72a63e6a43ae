// The one atomic statement of a refresh that uses the token up and issues the next pair (service.md 3.2, 4.1; decisions O2): for who has
// passed the checks, and for who would pass them all. What comes together shares it; each token's outcome is its own.
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { hexOfToken } from "../../../../ground/sealing/Secrets.ts"
import { changing } from "../../../../ground/sql/changing.ts"
import { compiledOnce, slotsOf } from "../../../../ground/sql/compiledOnce.ts"
import { atMost, sizesOf } from "../../../../ground/sql/given.ts"
import { rowsOf } from "../../../../ground/sql/rows.ts"
import { Sql } from "../../../../ground/sql/Sql.ts"
import type { Scope } from "../../../accounts/Scope.ts"
import { limits } from "../../../connections/oauthLimits.ts"
import { usesAllowed } from "./notReplayed.ts"
import { Rotated } from "./Refresh.ts"

export interface Rotation {
  readonly clientId: string
  readonly token: string
  readonly accessToken: string
  readonly refreshToken: string
  /** Undefined: all of the connection. */
  readonly scopes: ReadonlyArray<Scope> | undefined
  readonly now: number
}

interface Values {
  /** In JSON. */
  readonly rotations: string
}
const slots = slotsOf<Values>()

const given = ({ accessToken, clientId, now, refreshToken, scopes, token }: Rotation, place: number) => ({
  place,
  client_id: clientId,
  token: hexOfToken(token),
  access: hexOfToken(accessToken),
  refresh: hexOfToken(refreshToken),
  scopes,
  now: new Date(now)
})

export const makeRotation = Effect.gen(function* () {
  const sql = yield* Sql
  const allowed = sql.literal(String(usesAllowed))
  const span = (millis: number) => sql.literal(`interval '${millis} ms'`)
  const change = yield* changing(sql)

  /** Those of the tokens `r` given in `g` that no check would refuse (./index.ts, ../../clients/authenticate.ts). */
  const ordinary = sql`
    JOIN connections c ON c.connection_id = r.connection_id AND c.client_id = g.client_id
      AND c.ended_on IS NULL AND c.last_token_on > g.now - ${span(limits.idleMillis)} AND (c.expires_on IS NULL OR c.expires_on > g.now)
    JOIN oauth_clients o ON o.client_id = c.client_id
      AND o.secret_hash IS NULL AND o.disabled_on IS NULL AND o.first_approved_on IS NOT NULL
    JOIN users u ON u.user_id = c.user_id AND u.status = 'active' AND u.role <> 'guest'
    WHERE NOT EXISTS (SELECT 1 FROM org_app_policies p
        WHERE p.org_id = c.org_id AND p.client_id = c.client_id AND p.access <> 'everyone')
      AND NOT EXISTS (SELECT 1 FROM org_app_user_blocks b WHERE b.user_id = c.user_id AND b.client_id = c.client_id)`

  // Tokens are locked in the order of their hashes, connections in that of their ids, lest two statements wait for each other. The grace rule
  // stands here once more, so that parallel re-sends cannot exceed it.
  const rotateAll = (which: Statement.Fragment) => {
    const compiled = compiledOnce<Values>(sql)
    const statement = (count: number) => sql`
        WITH g AS MATERIALIZED (SELECT * FROM ${atMost(
          sql,
          count,
          sql`jsonb_to_recordset(${slots.rotations}::jsonb) AS j (place int, client_id text, token text, access text,
            refresh text, scopes text[], now timestamptz)`
        )}), held AS MATERIALIZED (
          SELECT r.token_hash, g.* FROM g JOIN refresh_tokens r ON r.token_hash = decode(g.token, 'hex') ${which}
          ORDER BY g.token FOR NO KEY UPDATE OF r
        ), used AS (
          UPDATE refresh_tokens r SET uses = r.uses + 1, first_used_on = coalesce(r.first_used_on, held.now) FROM held
          WHERE r.token_hash = held.token_hash
            AND (r.uses = 0 OR (r.uses < ${allowed} AND r.first_used_on >= held.now - ${span(limits.resendGraceMillis)}))
          RETURNING r.connection_id, held.place, held.access, held.refresh, held.scopes, held.now
        ), lasting AS MATERIALIZED (
          SELECT c.connection_id, t.now FROM (SELECT connection_id, max(now) AS now FROM used GROUP BY connection_id) t
          JOIN connections c USING (connection_id) WHERE c.ended_on IS NULL ORDER BY c.connection_id FOR NO KEY UPDATE OF c
        ), live AS (
          UPDATE connections c SET last_token_on = greatest(c.last_token_on, lasting.now) FROM lasting
          WHERE c.connection_id = lasting.connection_id AND c.ended_on IS NULL
          RETURNING c.connection_id, c.user_id, c.org_id, c.scopes AS approved, c.expires_on AS ends_on
        ), issued AS MATERIALIZED (
          SELECT place, connection_id, user_id, org_id, access, refresh, now, coalesce(scopes, approved) AS scopes,
            least(now + ${span(limits.accessTokenMillis)}, ends_on) AS expires_on
          FROM used JOIN live USING (connection_id)
        ), access AS (
          INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
          SELECT decode(access, 'hex'), connection_id, scopes, now, expires_on FROM issued
        ), refresh AS (
          INSERT INTO refresh_tokens (token_hash, connection_id, issued_on)
          SELECT decode(refresh, 'hex'), connection_id, now FROM issued
        )
        SELECT place, user_id, org_id, scopes, expires_on FROM issued`
    const ask = (rotations: ReadonlyArray<Rotation>) =>
      compiled(sizesOf(rotations.length), { rotations: JSON.stringify(rotations.map(given)) }, () =>
        statement(rotations.length)
      )
    return (rotations: ReadonlyArray<Rotation>) =>
      Effect.map(rowsOf(Rotated)(ask(rotations)), (rows) => {
        const answers = new Array<Rotated | undefined>(rotations.length).fill(undefined)
        for (const row of rows) answers[row.place] = row
        return answers
      })
  }
  const ofToken = ({ token }: Rotation) => token

  return {
    /** For who has passed the checks. Undefined: the token has been used meanwhile, or its connection has ended. */
    rotate: change(rotateAll(sql``), ofToken),
    /** For who has not been checked. Undefined: nothing is changed, and the checks say why. */
    rotateOrdinary: change(rotateAll(ordinary), ofToken)
  }
})
