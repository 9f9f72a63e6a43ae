// Atomic statement that uses up a public client's token and issues the next pair (service.md 3.2, 4.1; decisions O2), after the checks have
// passed. It knows none of the checks; it verifies that the facts they read still hold. Concurrent rotations share the statement; each has
// its own outcome.
import { Effect, Schema } from "effect"
import { hexOfToken } from "../../../../platform/sealing/Secrets.ts"
import { changing } from "../../../../platform/sql/changing.ts"
import { compiledOnce, slotsOf } from "../../../../platform/sql/compiledOnce.ts"
import { atMost, sizesOf } from "../../../../platform/sql/listParameters.ts"
import { rowsOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import type { Scope } from "../../../accounts/Scope.ts"

export interface Rotation {
  readonly token: string
  /** Number of uses of the token when the checks read it. */
  readonly uses: number
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: ReadonlyArray<Scope>
  readonly now: number
  /** Expiry of the access token, in epoch milliseconds. */
  readonly expiresAt: number
}

interface Values {
  /** Rotations as JSON. */
  readonly rotations: string
}
const slots = slotsOf<Values>()

/** Position of a rotation among those of the statement. */
const Rotated = Schema.Struct({ place: Schema.Int })

const rotationRow = ({ accessToken, expiresAt, now, refreshToken, scopes, token, uses }: Rotation, place: number) => ({
  place,
  token: hexOfToken(token),
  uses,
  access: hexOfToken(accessToken),
  refresh: hexOfToken(refreshToken),
  scopes,
  now: new Date(now),
  expires_on: new Date(expiresAt)
})

/** Rotates a token. False if it has been used meanwhile, or its connection has ended. */
export const makeRotation = Effect.gen(function* () {
  const sql = yield* Sql
  const change = yield* changing(sql)
  const compiled = compiledOnce<Values>(sql)

  // Connections are locked in the order of their ids, each with its tokens, lest two statements wait for each other. A row that has changed
  // before its lock is judged anew: what another statement has used up or ended drops out.
  const statement = (count: number) => sql`
    WITH g AS MATERIALIZED (SELECT * FROM ${atMost(
      sql,
      count,
      sql`jsonb_to_recordset(${slots.rotations}::jsonb) AS j (place int, token text, uses int, access text, refresh text,
        scopes text[], now timestamptz, expires_on timestamptz)`
    )}), held AS MATERIALIZED (
      SELECT r.token_hash, r.connection_id, g.* FROM g
      JOIN refresh_tokens r ON r.token_hash = decode(g.token, 'hex') JOIN connections c USING (connection_id)
      WHERE r.uses = g.uses AND c.ended_on IS NULL ORDER BY r.connection_id, g.token FOR NO KEY UPDATE OF c, r
    ), used AS (
      UPDATE refresh_tokens r SET uses = r.uses + 1, first_used_on = coalesce(r.first_used_on, held.now) FROM held
      WHERE r.token_hash = held.token_hash
    ), lasting AS (
      UPDATE connections c SET last_token_on = greatest(c.last_token_on, t.now)
      FROM (SELECT connection_id, max(now) AS now FROM held GROUP BY connection_id) t WHERE c.connection_id = t.connection_id
    ), access AS (
      INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
      SELECT decode(access, 'hex'), connection_id, scopes, now, expires_on FROM held
    ), refresh AS (
      INSERT INTO refresh_tokens (token_hash, connection_id, issued_on)
      SELECT decode(refresh, 'hex'), connection_id, now FROM held
    )
    SELECT place FROM held`

  const rotateAll = (rotations: ReadonlyArray<Rotation>) => {
    const values = { rotations: JSON.stringify(rotations.map(rotationRow)) }
    const query = compiled(sizesOf(rotations.length), values, () => statement(rotations.length))
    return Effect.map(rowsOf(Rotated)(query), (rows) => {
      const rotatedPlaces = new Set(rows.map(({ place }) => place))
      return rotations.map((_, place) => rotatedPlaces.has(place))
    })
  }

  return change(rotateAll, ({ token }: Rotation) => token)
})
