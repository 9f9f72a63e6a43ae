// Authorization requests from arrival to decision: the state behind the consent page (service.md 3.2, 4.1; decisions O17, O19).
import { randomBytes } from "node:crypto"
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { AuditLog } from "../../ground/audit/AuditLog.ts"
import { AppConfig } from "../../ground/config/Config.ts"
import { hashToken, randomToken } from "../../ground/sealing/Secrets.ts"
import { rowOf, rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { Scope } from "../accounts/Scope.ts"
import { limits, prefixes } from "../connections/oauthLimits.ts"
import { type KeptOut, keepsOut, standingsOf } from "../connections/standing.ts"
import { oneClientId } from "./authorize/checkClientId.ts"
import { oneRedirectUri, registeredRedirectUri } from "./authorize/checkRedirectUri.ts"
import { requestedScopes } from "./authorize/checkScope.ts"
import { faultOf } from "./authorize/index.ts"
import type { Client } from "./clients/Client.ts"
import { Clients } from "./clients/Clients.ts"
import { MetadataDocuments } from "./clients/MetadataDocuments.ts"
import { looksLikeDocument } from "./clients/metadataDocument.ts"
import type { Params } from "./params.ts"
import { describe, type OAuthRefused, ReasonId, reasons, refuse } from "./reasons.ts"
import { type RedirectTarget, targetOf, withParams } from "./redirectUri.ts"
import type { Session } from "./Sessions.ts"

/** One of the person's users, and why it may not connect the app. */
export interface Choice {
  readonly userId: number
  readonly orgId: number
  readonly orgName: string
  readonly keptOut: KeptOut | undefined
}

interface Shown {
  readonly requestId: string
  readonly client: Client
  readonly target: RedirectTarget
  readonly redirectUri: string
}

/** What the page of a request shows. */
export type RequestView =
  /** Unknown, of another session, or answered already. */
  | { readonly _tag: "Gone" }
  | ({ readonly _tag: "SignIn" } & Shown)
  /** An error page with a Return to app button. */
  | ({ readonly _tag: "Fault"; readonly reasonId: ReasonId; readonly detail: string | null } & Shown)
  | ({
      readonly _tag: "Consent"
      readonly scopes: ReadonlyArray<Scope>
      readonly choices: ReadonlyArray<Choice>
    } & Shown)

const Row = Schema.Struct({
  request_id: Schema.String,
  client_id: Schema.String,
  redirect_uri: Schema.String,
  state: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Scope),
  code_challenge: Schema.NullOr(Schema.String),
  fault: Schema.NullOr(ReasonId),
  fault_detail: Schema.NullOr(Schema.String),
  expires_on: Schema.Date
})
type Row = typeof Row.Type

export type ConsentDecision =
  | { readonly type: "approve"; readonly userId: number }
  | { readonly type: "decline" }
  /** Return to app, from an error page or from a consent page that keeps the user out; a decline where it does not. */
  | { readonly type: "return" }

const UserOfPerson = Schema.Struct({ user_id: Schema.Int, org_id: Schema.Int, org_name: Schema.String })

export class Authorizations extends Context.Service<
  Authorizations,
  {
    /** Fails when client or redirect URI cannot be trusted; any other fault is kept with the request. */
    readonly begin: (
      params: Params,
      session: Effect.Effect<Session>
    ) => Effect.Effect<{ readonly requestId: string; readonly session: Session }, OAuthRefused>
    readonly view: (requestId: string, session: Session | undefined) => Effect.Effect<RequestView>
    /** Where to send the browser (303); `undefined` when the request is not this session's to decide, or not any more. */
    readonly decide: (
      requestId: string,
      session: Session,
      decision: ConsentDecision
    ) => Effect.Effect<string | undefined>
  }
>()("millrace/oauth/Authorizations") {
  static readonly layer = Layer.effect(
    Authorizations,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { baseUrl, mcpUrl } = yield* AppConfig
      const clients = yield* Clients
      const documents = yield* MetadataDocuments
      const audit = yield* AuditLog

      const trustedClient = Effect.fnUntraced(function* (clientId: string) {
        if (looksLikeDocument(clientId)) return yield* documents.resolve(clientId)
        return (yield* clients.find(clientId)) ?? (yield* refuse("AUTHORIZE_CLIENT_INVALID", { clientId }))
      })

      const begin = Effect.fn("Authorizations.begin")(function* (params: Params, session: Effect.Effect<Session>) {
        const clientId = yield* Effect.fromResult(oneClientId(params))
        const redirect = oneRedirectUri(params)
        // A client that is unknown comes before its redirect URI, a document is not fetched without one.
        if (Result.isFailure(redirect) && looksLikeDocument(clientId)) return yield* redirect.failure
        const client = yield* trustedClient(clientId)
        const redirectUri = yield* Effect.fromResult(redirect)
        const unregistered = registeredRedirectUri(client, redirectUri)
        if (unregistered !== undefined) return yield* unregistered

        const fault = faultOf({ client, redirectUri, params, origins: { baseUrl, mcpUrl } })
        const state =
          params.repeated.includes("state") || params.malformed.includes("state") ? undefined : params.get("state")
        const bound = yield* session
        const now = yield* Clock.currentTimeMillis
        const requestId = randomBytes(24).toString("base64url")
        yield* sql`
            INSERT INTO authorization_requests (request_id, session_id, client_id, redirect_uri, state, scopes, code_challenge,
              fault, fault_detail, created_on, expires_on)
            VALUES (${requestId}, ${bound.session_id}, ${client.client_id}, ${redirectUri}, ${state ?? null}::text,
              ${fault === undefined ? [...requestedScopes(params)] : []}::text[],
              ${fault === undefined ? (params.get("code_challenge") ?? null) : null}::text, ${fault?.reasonId ?? null}::text,
              ${fault?.detail ?? null}::text, ${new Date(now)}, ${new Date(now + limits.decisionMillis)})`
        if (fault !== undefined) {
          yield* audit.record({
            event: "authorize.refused",
            reasonId: fault.reasonId,
            clientId: client.client_id,
            personId: bound.person_id ?? undefined
          })
        }
        return { requestId, session: bound }
      }, orSqlDefect)

      const open = (requestId: string, session: Session) => sql`
        SELECT request_id, client_id, redirect_uri, state, scopes, code_challenge, fault, fault_detail, expires_on
        FROM authorization_requests
        WHERE request_id = ${requestId} AND session_id = ${session.session_id} AND decided_on IS NULL`

      const choicesOf = Effect.fnUntraced(function* (personId: number, clientId: string) {
        const users = yield* rowsOf(UserOfPerson)(sql`
          SELECT u.user_id, u.org_id, o.name AS org_name FROM users u JOIN organizations o USING (org_id)
          WHERE u.person_id = ${personId} AND u.status IN ('active', 'deactivated') ORDER BY o.name, u.user_id`)
        const standings = yield* standingsOf(
          sql,
          users.map((user) => user.user_id),
          clientId
        )
        return users.map((user): Choice => {
          const standing = standings.find((s) => s.user_id === user.user_id)
          return {
            userId: user.user_id,
            orgId: user.org_id,
            orgName: user.org_name,
            keptOut: standing === undefined ? "inactive" : keepsOut(standing)
          }
        })
      })

      const view = Effect.fn("Authorizations.view")(function* (
        requestId: string,
        session: Session | undefined
      ): Effect.fn.Return<RequestView, SqlError.SqlError> {
        if (session === undefined) return { _tag: "Gone" }
        const row = yield* rowOf(Row)(open(requestId, session))
        const client = row === undefined ? undefined : yield* clients.find(row.client_id)
        if (row === undefined || client === undefined) return { _tag: "Gone" }
        const shown: Shown = { requestId, client, target: targetOf(row.redirect_uri), redirectUri: row.redirect_uri }
        const now = yield* Clock.currentTimeMillis
        if (now >= row.expires_on.getTime()) {
          return { _tag: "Fault", reasonId: "AUTHORIZE_REQUEST_EXPIRED", detail: null, ...shown }
        }
        if (session.person_id === null) return { _tag: "SignIn", ...shown }
        if (row.fault !== null) return { _tag: "Fault", reasonId: row.fault, detail: row.fault_detail, ...shown }
        const choices = yield* choicesOf(session.person_id, row.client_id)
        return { _tag: "Consent", scopes: row.scopes, choices, ...shown }
      }, orSqlDefect)

      /** `iss` is in every redirect, errors included (RFC 9207). */
      const redirectTo = (row: Row, params: ReadonlyArray<readonly [string, string]>) =>
        withParams(row.redirect_uri, [...params, ["state", row.state], ["iss", baseUrl]])

      const errorTo = (row: Row, reasonId: ReasonId, detail: string | null) =>
        redirectTo(row, [
          ["error", reasons[reasonId].error],
          ["error_description", describe(reasonId, detail)]
        ])

      const issueCode = Effect.fnUntraced(function* (row: Row, userId: number, now: Date) {
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
          const row = yield* rowOf(Row)(sql`${open(requestId, session)} FOR UPDATE`)
          if (row === undefined || (yield* clients.find(row.client_id)) === undefined) return undefined
          const now = yield* Clock.currentTimeMillis
          const close = sql`UPDATE authorization_requests SET decided_on = ${new Date(now)} WHERE request_id = ${requestId}`
          const refused = Effect.fnUntraced(function* (reasonId: ReasonId, detail: string | null, choice?: Choice) {
            yield* close
            yield* audit.record({
              event: "authorize.refused",
              reasonId,
              clientId: row.client_id,
              personId: session.person_id ?? undefined,
              userId: choice?.userId,
              orgId: choice?.orgId
            })
            return errorTo(row, reasonId, detail)
          })
          if (now >= row.expires_on.getTime()) return yield* refused("AUTHORIZE_REQUEST_EXPIRED", null)
          if (session.person_id === null) return undefined
          if (row.fault !== null) return yield* refused(row.fault, row.fault_detail)
          const choices = yield* choicesOf(session.person_id, row.client_id)
          const keptOut = choices.every((choice) => choice.keptOut !== undefined)
          if (decision.type === "return" && keptOut) return yield* refused("AUTHORIZE_USER_REFUSED", null)
          if (decision.type !== "approve") {
            yield* close
            yield* audit.record({ event: "authorize.declined", clientId: row.client_id, personId: session.person_id })
            return redirectTo(row, [["error", "access_denied"]])
          }
          const choice = choices.find((c) => c.userId === decision.userId)
          if (choice === undefined) return undefined
          if (choice.keptOut !== undefined) return yield* refused("AUTHORIZE_USER_REFUSED", null, choice)
          yield* close
          const code = yield* issueCode(row, choice.userId, new Date(now))
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

      return Authorizations.of({ begin, view, decide })
    })
  )
}
