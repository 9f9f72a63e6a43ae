// Grant authorization_code: lock, check in order, then make the connection and its first tokens, all in one transaction
// (service.md 3.2, 4.1; decisions O1, O17). Of parallel redemptions one succeeds; the next one is a replay.
import { Clock, Effect, Result, Schema } from "effect"
import { AuditLog } from "../../../../platform/audit/AuditLog.ts"
import { hashToken, randomToken } from "../../../../platform/sealing/Secrets.ts"
import { rowOf, rowsOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../../platform/sql/transact.ts"
import { prefixes } from "../../../accounts/credentialPrefixes.ts"
import { accessTokenExpiry, activeIn, type EndedBy } from "../../../connections/Connection.ts"
import { standingsOf } from "../../../connections/connectPermission.ts"
import { limits } from "../../../connections/oauthLimits.ts"
import type { Check } from "../../check.ts"
import { type Client, isConfidential } from "../../clients/Client.ts"
import { required } from "../../params.ts"
import { type OAuthRefused, refuse } from "../../reasons.ts"
import type { Given, GrantHandler } from "../Grant.ts"
import { type TokenResponse, tokenResponse } from "../TokenResponse.ts"
import { codeIssued } from "./codeIssued.ts"
import { IssuedCode, type Redemption } from "./Redemption.ts"

const oneCode = rowOf(IssuedCode)

type Sent = Given<"code" | "code_verifier" | "redirect_uri">

const ConnectionId = Schema.Struct({ connection_id: Schema.Int })

export const redeem = Effect.fnUntraced(function* (refusalOf: Check<Redemption>) {
  const sql = yield* Sql
  const audit = yield* AuditLog

  /**
   * Locks the code, its user, client and organization until the commit. Redemptions of one user run one after another (the limit of ten). A
   * concurrent change of a rule, role or client is either seen here or sees the new connection.
   */
  const lockCode = (hash: Uint8Array) =>
    oneCode(sql`
    SELECT c.client_id, c.user_id, u.org_id, c.redirect_uri, c.scopes, c.code_challenge, c.issued_on, c.connection_id, k.disabled_on
    FROM authorization_codes c
    JOIN oauth_clients k USING (client_id)
    JOIN users u USING (user_id)
    JOIN organizations o ON o.org_id = u.org_id
    WHERE c.code_hash = ${hash}
    FOR NO KEY UPDATE OF c, u FOR SHARE OF k, o`)

  const endConnections = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, by: EndedBy, now: Date) {
    const endedRows = yield* rowsOf(ConnectionId)(sql`
      UPDATE connections SET ended_on = ${now}, ended_by = ${by}
      WHERE connection_id = ANY(${ids.map(String)}::bigint[]) AND ended_on IS NULL RETURNING connection_id`)
    for (const { connection_id: connectionId } of endedRows) {
      yield* audit.record({ event: "connection.ended", connectionId, details: { by } })
    }
  })

  /** Ends the former connection of a one-per-user client, or those beyond the limit of ten, oldest approval first. */
  const makeRoom = Effect.fnUntraced(function* ({ client, code, now }: Redemption, connectionId: number) {
    const active = yield* rowsOf(ConnectionId)(sql`
      SELECT connection_id FROM connections c
      WHERE user_id = ${code.user_id} AND client_id = ${code.client_id} AND ${activeIn(sql, now)}
      ORDER BY approved_on, connection_id`)
    const otherIds = active.map((row) => row.connection_id).filter((id) => id !== connectionId)
    const excessIds = client.one_connection
      ? otherIds
      : active.map((row) => row.connection_id).slice(0, Math.max(0, active.length - limits.connectionsPerUserAndClient))
    if (excessIds.length === 0) return
    const by: EndedBy = client.one_connection ? "replaced" : "limit"
    yield* endConnections(excessIds, by, new Date(now))
  })

  const connect = Effect.fnUntraced(function* (redemption: Redemption, codeHash: Uint8Array) {
    const { client, code, now } = redemption
    const nowDate = new Date(now)
    const expiresOn = isConfidential(client) ? null : new Date(code.issued_on.getTime() + limits.maxAgeMillis)
    const accessToken = randomToken(prefixes.accessToken)
    const refreshToken = randomToken(prefixes.refreshToken)
    const expiresAt = accessTokenExpiry({ expires_on: expiresOn }, now)
    const scopes = [...code.scopes]
    const rows = yield* rowsOf(ConnectionId)(sql`
      WITH made AS (
        INSERT INTO connections (client_id, user_id, org_id, scopes, approved_on, created_on, last_token_on, expires_on)
        VALUES (${code.client_id}, ${code.user_id}, ${code.org_id}, ${scopes}::text[], ${code.issued_on}, ${nowDate}, ${nowDate},
          ${expiresOn}::timestamptz)
        RETURNING connection_id
      ), access AS (
        INSERT INTO access_tokens (token_hash, connection_id, scopes, issued_on, expires_on)
        SELECT ${hashToken(accessToken)}, connection_id, ${scopes}::text[], ${nowDate}, ${new Date(expiresAt)} FROM made
      ), refresh AS (
        INSERT INTO refresh_tokens (token_hash, connection_id, issued_on)
        SELECT ${hashToken(refreshToken)}, connection_id, ${nowDate} FROM made
      )
      SELECT connection_id FROM made`)
    const connectionId = rows[0]!.connection_id
    yield* sql`UPDATE authorization_codes SET connection_id = ${connectionId} WHERE code_hash = ${codeHash}`
    yield* makeRoom(redemption, connectionId)
    yield* audit.record({
      event: "connection.created",
      orgId: code.org_id,
      userId: code.user_id,
      clientId: code.client_id,
      connectionId,
      details: { scopes }
    })
    const ids = { userId: code.user_id, orgId: code.org_id }
    return tokenResponse({ accessToken, refreshToken, expiresAt, now, scopes, ...ids })
  })

  /** Refusal with the code's user and organization, for the audit log. */
  const refusedFor = ({ code, ...redemption }: Redemption): OAuthRefused | undefined => {
    const refusal = refusalOf({ ...redemption, code })
    if (refusal === undefined) return undefined
    const { connectionId, reasonId } = refusal
    const auditIds = { userId: code.user_id, orgId: code.org_id }
    return refuse(reasonId, connectionId === undefined ? auditIds : { ...auditIds, connectionId })
  }

  /** Returns a refusal as a value, since its side effects must be committed. */
  const attempt = Effect.fn("Grants.redeem")(
    function* (client: Client, sent: Sent, codeText: string) {
      const hash = hashToken(codeText)
      const code = yield* lockCode(hash)
      const nowMillis = yield* Clock.currentTimeMillis
      if (!codeIssued(code, nowMillis)) return Result.fail(refuse("TOKEN_CODE_UNKNOWN"))
      const userStanding = (yield* standingsOf(sql, [code.user_id], code.client_id))[0]
      const redemption = {
        client,
        code,
        redirectUri: sent.redirect_uri,
        verifier: sent.code_verifier,
        standing: userStanding,
        now: nowMillis
      }
      const refusal = refusedFor(redemption)
      if (refusal === undefined) return Result.succeed(yield* connect(redemption, hash))
      if (refusal.reasonId === "TOKEN_CODE_REPLAYED" && refusal.connectionId !== undefined) {
        yield* endConnections([refusal.connectionId], "code_replayed", new Date(nowMillis))
      }
      return Result.fail(refusal)
    },
    transact(sql),
    orSqlDefect,
    Effect.flatMap((result) => Effect.fromResult<TokenResponse, OAuthRefused>(result))
  )

  const handler: GrantHandler<Sent> = {
    begin: (sent) =>
      Effect.succeed((client) => Effect.flatMap(required("code", sent.code), (code) => attempt(client, sent, code)))
  }
  return handler
})
