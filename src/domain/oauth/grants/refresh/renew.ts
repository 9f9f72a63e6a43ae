// Grant refresh_token: one read of all facts for the checks, the checks in order, one atomic statement that issues the next tokens
// (service.md 3.2, 4.1; decisions O2). Every refresh takes this path; if a fact changes in between, it is read and checked again.
import { Clock, Effect } from "effect"
import { AuditLog } from "../../../../platform/audit/AuditLog.ts"
import { hashToken, randomToken } from "../../../../platform/sealing/Secrets.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../../platform/sql/sqlDefect.ts"
import { prefixes } from "../../../accounts/credentialPrefixes.ts"
import type { Scope } from "../../../accounts/Scope.ts"
import { accessTokenExpiry } from "../../../connections/Connection.ts"
import type { Check } from "../../check.ts"
import { type Client, isConfidential } from "../../clients/Client.ts"
import { required } from "../../params.ts"
import { refuse } from "../../reasons.ts"
import { splitScopes } from "../../scopes.ts"
import type { Given, GrantHandler } from "../Grant.ts"
import { type TokenResponse, tokenResponse } from "../TokenResponse.ts"
import type { HeldRefreshToken, Refresh } from "./Refresh.ts"
import { makeRefreshTokens } from "./refreshTokens.ts"
import { makeRotation } from "./rotation.ts"

/** Maximum number of tries of a refresh that lost a race; each one reads what the winner wrote. */
const LOOKS = 8

interface Issue {
  readonly accessToken: string
  /** Expiry of the access token, in epoch milliseconds. */
  readonly expiresAt: number
  readonly held: HeldRefreshToken
  readonly now: number
  readonly scopes: ReadonlyArray<Scope>
}

type Sent = Given<"refresh_token" | "scope">

export const renew = Effect.fnUntraced(function* (refusalOf: Check<Refresh>) {
  const sql = yield* Sql
  const audit = yield* AuditLog

  const find = yield* makeRefreshTokens
  const rotate = yield* makeRotation

  /** Adds an access token; a confidential client keeps its refresh token. False if the connection has ended meanwhile. */
  const add = Effect.fnUntraced(function* ({ accessToken, expiresAt, held, now, scopes }: Issue) {
    const added = yield* sql`
      WITH live AS (
        UPDATE connections SET last_token_on = GREATEST(last_token_on, ${new Date(now)})
        WHERE connection_id = ${held.connection_id} AND ended_on IS NULL
        RETURNING connection_id
      )
      INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
      SELECT ${hashToken(accessToken)}, connection_id, ${[...scopes]}::text[], ${new Date(now)}, ${new Date(expiresAt)} FROM live
      RETURNING connection_id`
    return added.length > 0
  })

  /** Issues tokens. Undefined if the facts that the checks read have changed. */
  const issue = Effect.fnUntraced(function* (token: string, { client, held, now, requested }: Refresh) {
    const scopes = requested === undefined ? held.scopes : held.scopes.filter((scope) => requested.includes(scope))
    const accessToken = randomToken(prefixes.accessToken)
    const issue = { accessToken, expiresAt: accessTokenExpiry(held, now), held, now, scopes }
    const refreshToken = isConfidential(client) ? undefined : randomToken(prefixes.refreshToken)
    const isIssued =
      refreshToken === undefined ? yield* add(issue) : yield* rotate({ ...issue, token, uses: held.uses, refreshToken })
    return isIssued ? tokenResponse({ ...issue, refreshToken, orgId: held.org_id, userId: held.user_id }) : undefined
  })

  const disconnect = Effect.fnUntraced(function* (connectionId: number, now: number) {
    const endedRows = yield* sql`
      UPDATE connections SET ended_on = ${new Date(now)}, ended_by = 'refresh_replayed'
      WHERE connection_id = ${connectionId} AND ended_on IS NULL RETURNING 1`
    if (endedRows.length > 0)
      yield* audit.record({ event: "connection.ended", connectionId, details: { by: "refresh_replayed" } })
  }, sql.withTransaction)

  const refresh = Effect.fn("Grants.refresh")(function* (
    client: Client,
    token: string,
    requested: ReadonlyArray<string> | undefined,
    first: HeldRefreshToken | undefined
  ) {
    let heldToken = first
    for (let attempt = 0; attempt < LOOKS; attempt++) {
      if (heldToken === undefined) return yield* refuse("TOKEN_REFRESH_TOKEN_UNKNOWN")
      const subject = { client, held: heldToken, requested, now: yield* Clock.currentTimeMillis }
      const refusal = refusalOf(subject)
      if (refusal?.reasonId === "TOKEN_REFRESH_REPLAYED") yield* disconnect(heldToken.connection_id, subject.now)
      if (refusal !== undefined) return yield* refusal
      const response: TokenResponse | undefined = yield* issue(token, subject)
      if (response !== undefined) return response
      heldToken = yield* find(token)
    }
    return yield* Effect.die(new Error("a refresh lost every race"))
  }, orSqlDefect)

  const handler: GrantHandler<Sent> = {
    begin: Effect.fnUntraced(function* (sent) {
      const heldToken = sent.refresh_token === undefined ? undefined : yield* orSqlDefect(find(sent.refresh_token))
      const named = splitScopes(sent.scope ?? "")
      // Treats a `scope` without names as not sent, like the authorization endpoint: a token without scopes grants nothing.
      const requested = named.length === 0 ? undefined : named
      return (client: Client) =>
        Effect.flatMap(required("refresh_token", sent.refresh_token), (token) =>
          refresh(client, token, requested, heldToken)
        )
    })
  }
  return handler
})
