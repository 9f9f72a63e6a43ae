// Redeems an authorization code: lock, check in order, then make the connection, all in one transaction (service.md 3.2, 4.1; decisions O1,
// O17). Of parallel redemptions one succeeds; the next one is a replay.
import { Clock, Effect, Result } from "effect"
import { AuditLog } from "../../../../platform/audit/AuditLog.ts"
import { hashToken } from "../../../../platform/sealing/Secrets.ts"
import { rowOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../../platform/sql/transact.ts"
import { standingsOf } from "../../../connections/connectPermission.ts"
import type { Check } from "../../check.ts"
import type { Client } from "../../clients/Client.ts"
import { required } from "../../params.ts"
import { type OAuthRefused, refuse } from "../../reasons.ts"
import type { Given, GrantHandler } from "../Grant.ts"
import type { TokenResponse } from "../TokenResponse.ts"
import { codeIssued } from "./codeIssued.ts"
import { makeConnectionEnds } from "./connectionEnds.ts"
import { makeNewConnection } from "./newConnection.ts"
import { IssuedCode, type Redemption } from "./Redemption.ts"

const oneCode = rowOf(IssuedCode)

type Sent = Given<"code" | "code_verifier" | "redirect_uri">

export const redeem = Effect.fnUntraced(function* (refusalOf: Check<Redemption>) {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const connect = makeNewConnection(sql, audit)
  const endConnections = makeConnectionEnds(sql, audit)

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
