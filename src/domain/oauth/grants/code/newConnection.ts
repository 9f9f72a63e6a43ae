// Makes a connection and its first tokens of a code (service.md 2.3, 3.2, 4.2; decisions O17): it has exactly the scopes that were approved,
// and the user's earlier connections with the client stay, up to their limit.
import { Effect } from "effect"
import type { AuditLog } from "../../../../platform/audit/AuditLog.ts"
import { hashToken, randomToken } from "../../../../platform/sealing/Secrets.ts"
import { rowsOf } from "../../../../platform/sql/rows.ts"
import type { Sql } from "../../../../platform/sql/Sql.ts"
import { prefixes } from "../../../accounts/credentialPrefixes.ts"
import { accessTokenExpiry } from "../../../connections/Connection.ts"
import { limits } from "../../../connections/oauthLimits.ts"
import { isConfidential } from "../../clients/Client.ts"
import { tokenResponse } from "../TokenResponse.ts"
import { ConnectionId } from "./connectionEnds.ts"
import { makeConnectionsPerUser } from "./connectionsPerUser.ts"
import type { Redemption } from "./Redemption.ts"

export const makeNewConnection = (sql: Sql, audit: AuditLog["Service"]) => {
  const endExcess = makeConnectionsPerUser(sql, audit)

  return Effect.fnUntraced(function* (redemption: Redemption, codeHash: Uint8Array) {
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
    yield* endExcess(redemption, connectionId)
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
}
