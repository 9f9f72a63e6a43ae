// Authorization requests from arrival to decision: the state behind the consent page (service.md 3.2, 4.1; decisions O17, O19).
import { randomBytes } from "node:crypto"
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { Scope } from "../accounts/Scope.ts"
import { limits } from "../connections/oauthLimits.ts"
import { type Choice, makeAuthorizationRequests, OpenRequest } from "./authorizationRequests.ts"
import { oneClientId } from "./authorize/checkClientId.ts"
import { oneRedirectUri, registeredRedirectUri } from "./authorize/checkRedirectUri.ts"
import { requestedScopes } from "./authorize/checkScope.ts"
import { faultOf } from "./authorize/index.ts"
import type { Client } from "./clients/Client.ts"
import { Clients } from "./clients/Clients.ts"
import { MetadataDocuments } from "./clients/MetadataDocuments.ts"
import { looksLikeDocument } from "./clients/metadataDocument.ts"
import { auditRefused, type ConsentDecision, makeDecide, type NotAllowed } from "./consentDecisions.ts"
import type { Params } from "./params.ts"
import { type OAuthRefused, type ReasonId, refuse } from "./reasons.ts"
import { type RedirectTarget, targetOf } from "./redirectTarget.ts"
import type { Session } from "./Sessions.ts"

interface Shown {
  readonly requestId: string
  readonly client: Client
  readonly target: RedirectTarget
  readonly redirectUri: string
}

/** Content of the page of a request. */
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

/** The browser's session ended during its request: by a sign-in, which has begun another session, or for good. */
export class SessionEnded extends Schema.TaggedError<SessionEnded>()("SessionEnded", {}) {}

export class Authorizations extends Context.Service<
  Authorizations,
  {
    /** Fails when client or redirect URI cannot be trusted; any other fault is kept with the request. */
    readonly begin: (
      params: Params,
      session: Effect.Effect<Session>
    ) => Effect.Effect<{ readonly requestId: string; readonly session: Session }, OAuthRefused | SessionEnded>
    readonly view: (requestId: string, session: Session | undefined) => Effect.Effect<RequestView>
    /** URL to redirect the browser to (303); `undefined` if the request is not this session's to decide, or no longer is. */
    readonly decide: (
      requestId: string,
      session: Session,
      decision: ConsentDecision
    ) => Effect.Effect<string | NotAllowed | undefined>
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
      const { choicesOf, open } = yield* makeAuthorizationRequests
      const decide = yield* makeDecide

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
        const nowMillis = yield* Clock.currentTimeMillis
        const requestId = randomBytes(24).toString("base64url")
        const kept = yield* sql`
            INSERT INTO authorization_requests (request_id, session_id, client_id, redirect_uri, state, scopes, code_challenge,
              fault, fault_detail, created_on, expires_on)
            SELECT ${requestId}::text, session_id, ${client.client_id}::text, ${redirectUri}::text, ${state ?? null}::text,
              ${fault === undefined ? [...requestedScopes(params)] : []}::text[],
              ${fault === undefined ? (params.get("code_challenge") ?? null) : null}::text, ${fault?.reasonId ?? null}::text,
              ${fault?.detail ?? null}::text, ${new Date(nowMillis)}::timestamptz, ${new Date(nowMillis + limits.decisionMillis)}::timestamptz
            FROM sessions WHERE session_id = ${bound.session_id} FOR KEY SHARE RETURNING 1`
        if (kept.length === 0) return yield* new SessionEnded()
        if (fault !== undefined) {
          yield* auditRefused(audit, fault.reasonId, client.client_id, bound)
        }
        return { requestId, session: bound }
      }, orSqlDefect)

      const view = Effect.fn("Authorizations.view")(function* (
        requestId: string,
        session: Session | undefined
      ): Effect.fn.Return<RequestView, SqlError.SqlError> {
        if (session === undefined) return { _tag: "Gone" }
        const row = yield* rowOf(OpenRequest)(open(requestId, session))
        const client = row === undefined ? undefined : yield* clients.find(row.client_id)
        if (row === undefined || client === undefined) return { _tag: "Gone" }
        const requestView: Shown = {
          requestId,
          client,
          target: targetOf(row.redirect_uri),
          redirectUri: row.redirect_uri
        }
        const nowMillis = yield* Clock.currentTimeMillis
        if (nowMillis >= row.expires_on.getTime()) {
          return { _tag: "Fault", reasonId: "AUTHORIZE_REQUEST_EXPIRED", detail: null, ...requestView }
        }
        if (session.person_id === null) return { _tag: "SignIn", ...requestView }
        if (row.fault !== null) return { _tag: "Fault", reasonId: row.fault, detail: row.fault_detail, ...requestView }
        const choices = yield* choicesOf(session.person_id, row.client_id)
        return { _tag: "Consent", scopes: row.scopes, choices, ...requestView }
      }, orSqlDefect)

      return Authorizations.of({ begin, view, decide })
    })
  )
}
