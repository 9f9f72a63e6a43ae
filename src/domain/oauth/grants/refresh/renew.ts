// Grant refresh_token: one read, the checks in order, one atomic statement that uses the token up and issues the next pair
// (service.md 3.2, 4.1; decisions O2; ./rotation.ts). What no check would refuse is done by that statement alone.
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
import type { Given, GrantHandler } from "../Grant.ts"
import { type TokenResponse, tokenResponse } from "../TokenResponse.ts"
import { makeHeldTokens } from "./heldTokens.ts"
import type { HeldRefreshToken, Refresh } from "./Refresh.ts"
import { makeRotation, type Rotation } from "./rotation.ts"

/** How often a refresh that lost a race looks again before it gives up; each look sees what the winner did. */
const LOOKS = 8

type Sent = Given<"refresh_token" | "scope">

export const renew = Effect.fnUntraced(function* (refusalOf: Check<Refresh>) {
  const sql = yield* Sql
  const audit = yield* AuditLog

  const find = yield* makeHeldTokens
  const { rotate, rotateOrdinary } = yield* makeRotation

  /** A public client's token goes, and the next pair comes. */
  const next = Effect.fnUntraced(function* (
    by: typeof rotate,
    used: Pick<Rotation, "clientId" | "now" | "scopes" | "token">
  ) {
    const accessToken = randomToken(prefixes.accessToken)
    const refreshToken = randomToken(prefixes.refreshToken)
    const rotated = yield* by({ ...used, accessToken, refreshToken })
    if (rotated === undefined) return undefined
    const { expires_on, org_id: orgId, scopes, user_id: userId } = rotated
    return tokenResponse({
      accessToken,
      refreshToken,
      expiresAt: expires_on.getTime(),
      now: used.now,
      scopes,
      userId,
      orgId
    })
  })

  /** A confidential client keeps its refresh token; only an access token is added. */
  const add = Effect.fnUntraced(function* (held: HeldRefreshToken, scopes: ReadonlyArray<Scope>, now: number) {
    const accessToken = randomToken(prefixes.accessToken)
    const expiresAt = accessTokenExpiry(held, now)
    const added = yield* sql`
      WITH live AS (
        UPDATE connections SET last_token_on = GREATEST(last_token_on, ${new Date(now)})
        WHERE connection_id = ${held.connection_id} AND ended_on IS NULL
        RETURNING connection_id
      )
      INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
      SELECT ${hashToken(accessToken)}, connection_id, ${[...scopes]}::text[], ${new Date(now)}, ${new Date(expiresAt)} FROM live
      RETURNING connection_id`
    if (added.length === 0) return undefined
    const { org_id: orgId, user_id: userId } = held
    return tokenResponse({ accessToken, refreshToken: undefined, expiresAt, now, scopes, userId, orgId })
  })

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
      const done: TokenResponse | undefined = isConfidential(client)
        ? yield* add(held, scopes, now)
        : yield* next(rotate, { clientId: client.client_id, token, scopes, now })
      if (done !== undefined) return done
      held = yield* find(token)
    }
    return yield* Effect.die(new Error("a refresh lost every race"))
  }, orSqlDefect)

  const handler: GrantHandler<Sent> = {
    begin: Effect.fnUntraced(function* (sent) {
      const found = sent.refresh_token === undefined ? undefined : yield* orSqlDefect(find(sent.refresh_token))
      const named = splitScopes(sent.scope ?? "")
      // One that names none counts as not sent, as at the authorization endpoint: a token without scopes opens nothing.
      const requested = named.length === 0 ? undefined : named
      return (client: Client) =>
        Effect.flatMap(required("refresh_token", sent.refresh_token), (token) =>
          refresh(client, token, requested, found)
        )
    }),
    atOnce: Effect.fnUntraced(function* ({ refresh_token: token, scope }, clientId) {
      if (token === undefined || scope !== undefined) return undefined
      const now = yield* Clock.currentTimeMillis
      return yield* next(rotateOrdinary, { clientId, token, scopes: undefined, now })
    }, orSqlDefect)
  }
  return handler
})
