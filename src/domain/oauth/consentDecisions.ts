// Decides an authorization request (service.md 3.2, 4.1): an approval issues a code, and a decline or a fault returns to the app with an
// error. Both are audited.
import { Clock, Effect } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { hashToken, randomToken } from "../../platform/sealing/Secrets.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { prefixes } from "../accounts/credentialPrefixes.ts"
import type { KeptOut } from "../connections/connectPermission.ts"
import { type Choice, makeAuthorizationRequests, OpenRequest } from "./authorizationRequests.ts"
import { Clients } from "./clients/Clients.ts"
import { describe, type ReasonId, reasons } from "./reasons.ts"
import { withParams } from "./redirectUri.ts"
import type { Session } from "./Sessions.ts"

/** The user may not connect the app in the chosen organization; the request stays open for another one. */
export interface NotAllowed {
  readonly keptOut: KeptOut
}

export type ConsentDecision =
  | { readonly type: "approve"; readonly userId: number }
  | { readonly type: "decline" }
  /** Return to app, from an error page or from a consent page that refuses the user; a decline if it does not refuse. */
  | { readonly type: "return" }

/** Audits a refusal. Before the sign-in refusals are only counted: anybody may cause as many as they like (decisions O23). */
export const auditRefused = (
  audit: AuditLog["Service"],
  reasonId: ReasonId,
  clientId: string,
  { person_id: personId }: Session,
  choice?: Choice
) => {
  const refusalEvent = { event: "authorize.refused", reasonId, clientId } as const
  return personId === null
    ? audit.count(refusalEvent)
    : audit.record({ ...refusalEvent, personId, userId: choice?.userId, orgId: choice?.orgId })
}

export const makeDecide = Effect.gen(function* () {
  const sql = yield* Sql
  const { baseUrl } = yield* AppConfig
  const clients = yield* Clients
  const audit = yield* AuditLog
  const { choicesOf, open } = yield* makeAuthorizationRequests

  /** `iss` is in every redirect, errors included (RFC 9207). */
  const redirectTo = (row: OpenRequest, params: ReadonlyArray<readonly [string, string]>) =>
    withParams(row.redirect_uri, [...params, ["state", row.state], ["iss", baseUrl]])

  const errorTo = (row: OpenRequest, reasonId: ReasonId, detail: string | null) =>
    redirectTo(row, [
      ["error", reasons[reasonId].error],
      ["error_description", describe(reasonId, detail)]
    ])

  const issueCode = Effect.fnUntraced(function* (row: OpenRequest, userId: number, now: Date) {
    const code = randomToken(prefixes.code)
    yield* sql`
      INSERT INTO authorization_codes (code_hash, client_id, user_id, redirect_uri, scopes, code_challenge, issued_on)
      VALUES (${hashToken(code)}, ${row.client_id}, ${userId}, ${row.redirect_uri}, ${[...row.scopes]}::text[],
        ${row.code_challenge}::text, ${now})`
    yield* sql`
      UPDATE oauth_clients SET first_approved_on = ${now} WHERE client_id = ${row.client_id} AND first_approved_on IS NULL`
    return code
  })

  const decide = Effect.fn("Authorizations.decide")(
    function* (requestId: string, session: Session, decision: ConsentDecision) {
      const row = yield* rowOf(OpenRequest)(sql`${open(requestId, session)} FOR UPDATE`)
      if (row === undefined || (yield* clients.find(row.client_id)) === undefined) return undefined
      const nowMillis = yield* Clock.currentTimeMillis
      const close = sql`UPDATE authorization_requests SET decided_on = ${new Date(nowMillis)} WHERE request_id = ${requestId}`
      const refuseRequest = Effect.fnUntraced(function* (reasonId: ReasonId, detail: string | null) {
        yield* close
        yield* auditRefused(audit, reasonId, row.client_id, session)
        return errorTo(row, reasonId, detail)
      })
      if (nowMillis >= row.expires_on.getTime()) return yield* refuseRequest("AUTHORIZE_REQUEST_EXPIRED", null)
      if (session.person_id === null) return undefined
      if (row.fault !== null) return yield* refuseRequest(row.fault, row.fault_detail)
      const choices = yield* choicesOf(session.person_id, row.client_id)
      const keptOut = choices.every((choice) => choice.keptOut !== undefined)
      if (decision.type === "return" && keptOut) return yield* refuseRequest("AUTHORIZE_USER_REFUSED", null)
      if (decision.type !== "approve") {
        yield* close
        yield* audit.record({ event: "authorize.declined", clientId: row.client_id, personId: session.person_id })
        return redirectTo(row, [["error", "access_denied"]])
      }
      const choice = choices.find((c) => c.userId === decision.userId)
      if (choice === undefined) return undefined
      if (choice.keptOut !== undefined) {
        yield* auditRefused(audit, "AUTHORIZE_USER_REFUSED", row.client_id, session, choice)
        return { keptOut: choice.keptOut } satisfies NotAllowed
      }
      yield* close
      const code = yield* issueCode(row, choice.userId, new Date(nowMillis))
      yield* audit.record({
        event: "authorize.approved",
        clientId: row.client_id,
        personId: session.person_id,
        userId: choice.userId,
        orgId: choice.orgId,
        details: { scopes: row.scopes }
      })
      return redirectTo(row, [["code", code]])
    },
    sql.withTransaction,
    orSqlDefect
  )

  return decide
})
