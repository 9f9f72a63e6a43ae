// Grant refresh_token: one read, the checks in order, one atomic statement that uses the token up and issues the next pair
// (service.md 3.2, 4.1; decisions O2; ./rotation.ts).
import { Clock, Effect } from "effect"
import { AuditLog } from "../../../../ground/audit/AuditLog.ts"
import { hashToken, randomToken } from "../../../../ground/sealing/Secrets.ts"
import { Sql } from "../../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../../ground/sql/sqlDefect.ts"
import type { Scope } from "../../../accounts/Scope.ts"
import { accessTokenExpiry } from "../../../connections/Connection.ts"
import { prefixes } from "../../../connections/oauthLimits.ts"
import type { Check } from "../../check.ts"
import { type Client, isConfidential } from "../../clients/Client.ts"
import { required } from "../../params.ts"
import { refuse } from "../../reasons.ts"
import { splitScopes } from "../../scopes.ts"
import type { Given } from "../Grant.ts"
import { tokenResponse } from "../TokenResponse.ts"
import type { HeldRefreshToken, Refresh } from "./Refresh.ts"
import { makeRotation } from "./rotation.ts"

/** How often a refresh that lost a race looks again before it gives up; each look sees what the winner did. */
const LOOKS = 8

type Sent = Given<"refresh_token" | "scope">

export const renew = Effect.fnUntraced(function* (refusalOf: Check<Refresh>) {
  const sql = yield* Sql
  const audit = yield* AuditLog

  const { find, rotate } = yield* makeRotation

  /** A confidential client keeps its refresh token; only an access token is added. */
  const add = (
    connectionId: number,
    accessToken: string,
    scopes: ReadonlyArray<Scope>,
    now: number,
    expiresAt: number
  ) =>
    sql`
    WITH live AS (
      UPDATE connections SET last_token_on = GREATEST(last_token_on, ${new Date(now)})
      WHERE connection_id = ${connectionId} AND ended_on IS NULL
      RETURNING connection_id
    )
    INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
    SELECT ${hashToken(accessToken)}, connection_id, ${[...scopes]}::text[], ${new Date(now)}, ${new Date(expiresAt)} FROM live
    RETURNING connection_id`.pipe(Effect.map((rows) => rows.length > 0))

  const disconnect = Effect.fnUntraced(function* (connectionId: number, now: number) {
    const ended = yield* sql`
      UPDATE connections SET ended_on = ${new Date(now)}, ended_by = 'refresh_replayed'
      WHERE connection_id = ${connectionId} AND ended_on IS NULL RETURNING 1`
    if (ended.length > 0)
      yield* audit.record({ event: "connection.ended", connectionId, details: { by: "refresh_replayed" } })
  }, sql.withTransaction)

  const refresh = Effect.fn("Grants.refresh")(function* (
    client: Client,
    token: string,
    requested: ReadonlyArray<string> | undefined,
    first: HeldRefreshToken | undefined
  ) {
    let held = first
    for (let look = 0; look < LOOKS; look++) {
      if (held === undefined) return yield* refuse("TOKEN_REFRESH_TOKEN_UNKNOWN")
      const now = yield* Clock.currentTimeMillis
      const refused = refusalOf({ client, held, requested, now })
      if (refused?.reasonId === "TOKEN_REFRESH_REPLAYED") yield* disconnect(held.connection_id, now)
      if (refused !== undefined) return yield* refused
      const scopes = requested === undefined ? held.scopes : held.scopes.filter((scope) => requested.includes(scope))
      const expiresAt = accessTokenExpiry(held, now)
      const accessToken = randomToken(prefixes.accessToken)
      const refreshToken = isConfidential(client) ? undefined : randomToken(prefixes.refreshToken)
      const done =
        refreshToken === undefined
          ? yield* add(held.connection_id, accessToken, scopes, now, expiresAt)
          : yield* rotate({ token, accessToken, refreshToken, scopes, now, expiresAt })
      if (done) {
        return tokenResponse({
          accessToken,
          refreshToken,
          expiresAt,
          now,
          scopes,
          userId: held.user_id,
          orgId: held.org_id
        })
      }
      held = yield* find(token)
    }
    return yield* Effect.die(new Error("a refresh lost every race"))
  }, orSqlDefect)

  return Effect.fnUntraced(function* (sent: Sent) {
    const found = sent.refresh_token === undefined ? undefined : yield* orSqlDefect(find(sent.refresh_token))
    const requested = sent.scope === undefined ? undefined : splitScopes(sent.scope)
    return (client: Client) =>
      Effect.flatMap(required("refresh_token", sent.refresh_token), (token) => refresh(client, token, requested, found))
  })
})
