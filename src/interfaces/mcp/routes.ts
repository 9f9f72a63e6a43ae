// `{mcp_url}/mcp`: Streamable HTTP without sessions (service.md 1, 4.2, 5; MCP transports). Answers in this order: host and origin (403),
// credential (401), method (405), body (413, 415, 400), scopes (403 step-up), then the conversation, as JSON, or as a stream of one event
// for who takes nothing else. A short body that came with its headers is read before the credential is looked up, so that one statement
// serves the credential and the rights on what the body names.
import { Effect, type Scope } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { credentialIn } from "../../api/middleware/credential.ts"
import { RateLimit } from "../../api/middleware/RateLimit.ts"
import { CredentialLookup } from "../../domain/accounts/CredentialLookup.ts"
import { InProcess } from "../../domain/accounts/InProcess.ts"
import type { Resource } from "../../domain/accounts/resourceFacts.ts"
import { RunOutcomes } from "../../domain/automations/requests/RunOutcomes.ts"
import { SourceAddress } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { addEveryMethod } from "../../platform/primitives/everyMethod.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { protectedResource } from "../oauth/endpoints/metadataBodies.ts"
import { queryOf } from "../web/formBody.ts"
import { sourceOf } from "../web/sharedAnswers.ts"
import { hostAllowed, originAllowed } from "./callGuard.ts"
import { converse } from "./conversation.ts"
import { withFactsOnce } from "./factsOnce.ts"
import { RunPatience } from "./followRun.ts"
import { makeSubscriptionStreams } from "./listening/subscriptionStreams.ts"
import { acceptsJson, acceptsType, openArrived, openEnvelope, standardHeaders } from "./readEnvelope.ts"
import { INVALID, refusal } from "./refusal.ts"
import { ownCost } from "./requestCost.ts"
import * as answers from "./rpcAnswers.ts"
import { missingScopes, resourceOfCall } from "./scopeOfTool.ts"
import { offerOf } from "./toolsets.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const FORBIDDEN = -32000
const foreignHost = refusal(403, FORBIDDEN, "This Host is not served here.")
const foreignOrigin = refusal(403, FORBIDDEN, "Pages of this Origin may not call the MCP server.")
const postOnly = refusal(405, INVALID, "Send JSON-RPC messages with POST; there are no sessions and no server streams.")

export const McpRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const { baseUrl, mcpUrl } = config
    const credentials = yield* CredentialLookup
    const limits = yield* RateLimit
    const api = yield* InProcess
    const outcomes = yield* RunOutcomes
    const patience = yield* RunPatience
    const secrets = yield* Secrets
    const streamFor = yield* makeSubscriptionStreams
    const ownOrigins = [mcpUrl, baseUrl]

    /** A bearer token, or why there is none. Only the header counts: no cookie, no query (MCP authorization). */
    const callerOf = Effect.fnUntraced(function* (request: Request, resource: Resource | undefined) {
      const presentedCredential = credentialIn(request.headers)
      if (presentedCredential._tag === "None") return answers.noCredential(mcpUrl)
      const caller =
        presentedCredential._tag === "Token" && presentedCredential.scheme === "bearer"
          ? yield* credentials.resolve(presentedCredential.token, { resource })
          : undefined
      return caller ?? answers.invalidToken(mcpUrl)
    })

    /** The caller of an open stream, as it is by now. */
    const renewed = ({ headers }: Request) => {
      const presentedCredential = credentialIn(headers)
      return presentedCredential._tag === "Token"
        ? credentials.resolve(presentedCredential.token)
        : Effect.succeed(null)
    }

    const answer = Effect.fnUntraced(function* (request: Request): Effect.fn.Return<Response, never, Scope.Scope> {
      if (!hostAllowed(request.headers["host"], mcpUrl)) return answers.refused(foreignHost)
      if (!originAllowed(request.headers["origin"], ownOrigins)) return answers.refused(foreignOrigin)
      const earlyEnvelope = yield* openArrived(request)
      const caller = yield* callerOf(
        request,
        earlyEnvelope?._tag === "Envelope" ? resourceOfCall(earlyEnvelope.requests) : undefined
      )
      if (!("userId" in caller)) return caller
      if (request.method !== "POST") return answers.refused(postOnly, { allow: "POST" })
      const toolOffer = offerOf(queryOf(request.originalUrl), request.headers, caller)
      if ("_tag" in toolOffer) return answers.refused(toolOffer)
      const envelope = earlyEnvelope ?? (yield* openEnvelope(request))
      if (envelope._tag === "Refusal") return answers.refused(envelope)
      const missing = missingScopes(caller, envelope.requests, toolOffer)
      if (missing !== undefined) {
        const budget = yield* limits.spend(caller.userId, missing.cost)
        return budget.allowed ? answers.insufficientScope(mcpUrl, missing.scopes) : answers.tooManyRequests(budget)
      }
      if (envelope.requests.length === 0) return answers.accepted
      const spend = (cost: number) => limits.spend(caller.userId, cost)
      const ownApi = withFactsOnce(api)
      const desk = {
        api: ownApi,
        caller,
        onlyReads: toolOffer.readonly,
        outcomes,
        limits: config,
        secrets,
        patience,
        spend
      }
      const headers = standardHeaders(request)
      const [message] = envelope.requests
      if (envelope.era === "modern" && message?.method === "subscriptions/listen") {
        const takesStreams = acceptsType(request.headers["accept"], "text/event-stream")
        return yield* streamFor(desk, { message, headers, offer: toolOffer, takesStreams, again: renewed(request) })
      }
      const cost = ownCost(envelope.requests, toolOffer)
      if (cost > 0) {
        const budget = yield* spend(cost)
        if (!budget.allowed) return answers.tooManyRequests(budget)
      }
      const { status, body } = yield* converse(desk, toolOffer, envelope, headers)
      return acceptsJson(request.headers["accept"]) ? answers.answered(body, status) : answers.streamed(body, status)
    })

    // The audit log names the source address of each tool's action (decisions P14).
    const answered = (request: Request) => Effect.provideService(answer(request), SourceAddress, sourceOf(request))
    yield* addEveryMethod(router, "/mcp", Effect.flatMap(HttpServerRequest.HttpServerRequest, answered))
  })
)

/** The protected resource metadata (service.md 4.1), for a process that serves nothing but the MCP server. */
export const McpMetadata = HttpRouter.use((router) =>
  Effect.flatMap(AppConfig, (origins) =>
    router.add("GET", "/.well-known/oauth-protected-resource/mcp", answers.document(protectedResource("mcp", origins)))
  )
)
