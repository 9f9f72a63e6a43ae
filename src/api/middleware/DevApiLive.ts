// The Developer API's middleware: authenticate (401), rate limit (429), scope (403), resource (404, 403), input (400), then the
// handler; its failures become the documented body (developer-api.md 1.5). Unknown paths pass the same middleware.
import { Context, Duration, Effect, Layer, Option } from "effect"
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Access, type AccessGrant, Granted } from "../../domain/accounts/Access.ts"
import { Caller, type CallerShape } from "../../domain/accounts/Caller.ts"
import { CredentialLookup } from "../../domain/accounts/CredentialLookup.ts"
import type { ResolvedCaller } from "../../domain/accounts/callerFacts.ts"
import type { Resource } from "../../domain/accounts/resourceFacts.ts"
import { CurrentActor } from "../../platform/audit/AuditActor.ts"
import { SourceAddress } from "../../platform/audit/AuditLog.ts"
import { withText } from "../../platform/bounds/Body.ts"
import type { Look } from "../../platform/bounds/Bounds.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { pathOf } from "../../platform/primitives/requestPath.ts"
import { watched } from "../../platform/sql/Changes.ts"
import { isTransientIn } from "../../platform/sql/transientErrors.ts"
import { OwnHeaders, withOwnHeaders } from "./answerHeaders.ts"
import { costOf } from "./cost.ts"
import { credentialIn } from "./credential.ts"
import { DevApi } from "./DevApi.ts"
import { failureResponse, type Standing, unchanged } from "./errorResponses.ts"
import { hostIn } from "./hostLookup.ts"
import { Idempotency, sameRequest, shownTo } from "./Idempotency.ts"
import { nulInTarget } from "./inputProblems.ts"
import { readJsonBody } from "./jsonBody.ts"
import { knownQuery, misspelledQuery } from "./misspelledParameters.ts"
import { jsonPayload } from "./payload.ts"
import { RateLimit } from "./RateLimit.ts"
import { type Requirement, Requires } from "./Requires.ts"
import { rateHeaders, refuseSpent } from "./rateLimitAnswers.ts"
import { refusals } from "./refusals.ts"
import { granted, guardedResource } from "./resourceGuard.ts"
import * as challenge from "./wwwAuthenticate.ts"

type Response = HttpServerResponse.HttpServerResponse
type Read = ReturnType<typeof readJsonBody>
/** Caller of a credential, or why there is none. */
type Authenticated = ResolvedCaller | "none" | "invalid"
const noBody: Read = Effect.succeed("")
/** A body that took longer came from somebody who may be nobody by now: it may take half a minute. */
const LATE_MILLIS = 1_000

/** Answers 503 while the database is away: the caller's identity and budget are stored there too. */
const answerAway = <E, R>(self: Effect.Effect<Response, E, R>) =>
  Effect.catchCause(self, (cause): Effect.Effect<Response, E, HttpServerRequest.HttpServerRequest> => {
    if (!isTransientIn(cause)) return Effect.failCause(cause)
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ originalUrl }) =>
      failureResponse(cause, pathOf(originalUrl))
    )
  })

/**
 * Adds the actor and the source address for entries of the audit log (decisions P14). A call from inside the process has the source of its
 * caller.
 */
const acting = <R>(
  context: Context.Context<R>,
  { credential, userId }: CallerShape,
  request: HttpServerRequest.HttpServerRequest
): Context.Context<R> => {
  const { clientId, id, type } = credential
  const connectionId = type === "oauth_access_token" ? id : null
  const actor = { userId, credential: type, credentialId: id, clientId, connectionId }
  const actorContext = Context.add(context, CurrentActor, actor) as Context.Context<R>
  return Option.isNone(request.remoteAddress)
    ? actorContext
    : (Context.add(actorContext, SourceAddress, request.remoteAddress.value) as Context.Context<R>)
}

const asksOnly = ({ method }: HttpServerRequest.HttpServerRequest) => method === "GET" || method === "HEAD"

/** The middleware itself; `handle` runs with caller and grant in its context. Written without generators: every call passes here. */
export const makeMiddleware = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const credentials = yield* CredentialLookup
  const limits = yield* RateLimit
  const access = yield* Access
  const idempotency = yield* Idempotency
  const outbound = yield* Outbound
  const refuse = refusals(challenge.resourceMetadataUrl(baseUrl))

  const authenticate = (
    request: HttpServerRequest.HttpServerRequest,
    { bearerOnly, guard, profile = false }: Requirement
  ): Effect.Effect<Authenticated, never, HttpRouter.RouteContext> => {
    const presentedCredential = credentialIn(request.headers)
    if (presentedCredential._tag === "None") return Effect.succeed("none")
    if (presentedCredential._tag === "Unusable" || (bearerOnly === true && presentedCredential.scheme !== "bearer"))
      return Effect.succeed("invalid")
    const resolve = (resource: Resource | undefined) =>
      Effect.map(
        credentials.resolve(presentedCredential.token, { profile, resource }),
        (caller) => caller ?? ("invalid" as const)
      )
    return guard === undefined ? resolve(undefined) : Effect.flatMap(guardedResource(guard), resolve)
  }

  return <E, R>(
    requirement: Requirement,
    /** A JSON body is read and its sizes are looked at; none is expected where it is undefined. */
    look: Look | undefined,
    handle: Effect.Effect<Response, E, R | Caller | Granted>
  ) => {
    const expectsJson = look !== undefined
    type Entered = Effect.Effect<
      Response,
      never,
      Exclude<R, Caller | Granted> | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext
    >

    /** Handles the request of a caller who is authenticated and has the credits. */
    const admitted = (
      request: HttpServerRequest.HttpServerRequest,
      endpoint: string,
      caller: ResolvedCaller,
      key: string | undefined,
      read: Read,
      /** Enters again with the body, authenticating and authorizing anew. */
      again: (body: string) => Entered
    ) => {
      type Handled<F> = Effect.Effect<Response, F, Exclude<R, Caller | Granted>>
      const handled = (grant: AccessGrant, body: string, standing: Standing): Handled<unknown> => {
        const provided: Handled<E> = Effect.updateContext(
          handle,
          (context: Context.Context<Exclude<R, Caller | Granted>>) => {
            const entered = Context.add(Context.add(context, Caller, caller), Granted, grant) as Context.Context<R>
            const handlerContext =
              asksOnly(request) && requirement.recorded !== true ? entered : acting(entered, caller, request)
            const tag = HttpServerRequest.HttpServerRequest
            return (
              expectsJson ? Context.add(handlerContext, tag, withText(request, body)) : handlerContext
            ) as Context.Context<R | Caller | Granted>
          }
        )
        if (key === undefined) return provided
        // A script that begins again may say it otherwise (the time, a random number): it gets the first answer all the same.
        const requestText =
          caller.origin === undefined ? sameRequest(request.originalUrl, body) + shownTo(caller, requirement.scope) : ""
        const call = { userId: caller.userId, method: request.method, path: endpoint, key, body: requestText }
        const run = idempotency.run(
          call,
          provided,
          (cause) => failureResponse(cause, endpoint, standing),
          requirement.outside === true
        )
        const host = hostIn(requirement, body)
        return host === undefined ? run : outbound.lookedUp(host)(run)
      }
      const answer = (standing: Standing) => {
        const { scope } = requirement
        if (scope !== undefined && caller.scopes !== "all" && !caller.scopes.has(scope))
          return Effect.succeed(refuse.lacksScope(endpoint, scope))
        return Effect.flatMap(granted(access, caller, requirement), (grant) =>
          expectsJson
            ? Effect.flatMap(Effect.timed(read), ([took, body]) =>
                Duration.toMillis(took) > LATE_MILLIS ? again(body) : handled(grant, body, standing)
              )
            : handled(grant, "", standing)
        )
      }
      const renderAnswer = (standing: Standing) =>
        Effect.catchCause(answer(standing), (cause) => failureResponse(cause, endpoint, standing))
      return asksOnly(request)
        ? renderAnswer(unchanged)
        : watched((changes) => renderAnswer({ changes, keyed: key !== undefined }))
    }

    return answerAway(
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const internal = fiber.getRef(InternalCaller)
        const endpoint = pathOf(request.originalUrl)
        // Steps of runs key every change that they make (decisions A1), not only POSTs.
        const keyed = expectsJson && (request.method === "POST" || internal !== undefined)
        const key = keyed ? request.headers["idempotency-key"] : undefined
        const spend = (userId: number) => limits.spend(userId, costOf(requirement, request))
        const enterWith =
          (read: Read, spent: typeof spend) =>
          (caller: Authenticated): Entered =>
            typeof caller === "string"
              ? Effect.succeed(refuse[caller](endpoint))
              : Effect.flatMap(spent(caller.userId), (budget) => {
                  const headers = rateHeaders(budget)
                  if (!budget.allowed) return Effect.succeed(refuseSpent(endpoint, budget, headers))
                  const enterAgain = (body: string) =>
                    Effect.flatMap(
                      internal === undefined ? authenticate(request, requirement) : Effect.succeed(internal),
                      enterWith(Effect.succeed(body), () => Effect.succeed(budget))
                    )
                  return Effect.map(admitted(request, endpoint, caller, key, read, enterAgain), (answered) => {
                    // A 503 or a 429 of another limit keeps its own Retry-After: that ends at another time than the budget refills.
                    const keepsOwn = answered.status === 503 || answered.status === 429
                    const wait = keepsOwn ? answered.headers["retry-after"] : undefined
                    return HttpServerResponse.setHeaders(
                      answered,
                      wait === undefined ? headers : { ...headers, "retry-after": wait }
                    )
                  })
                })
        const read = !expectsJson
          ? noBody
          : requirement.bodyOptional === true
            ? Effect.map(readJsonBody(request, look), (text) => text || "{}")
            : readJsonBody(request, look)
        if (internal !== undefined) return enterWith(read, spend)(internal)
        return Effect.flatMap(authenticate(request, requirement), enterWith(read, spend))
      })
    )
  }
})

/** Set by callers inside the process that have authenticated already (scripts, the MCP server): no header is read then. */
export const InternalCaller = Context.Reference<ResolvedCaller | undefined>("millrace/http/InternalCaller", {
  defaultValue: () => undefined
})

export const DevApiLive = Layer.effect(
  DevApi,
  Effect.map(makeMiddleware, (handleRequest) => {
    interface Rule {
      readonly requirement: Requirement
      readonly look: Look | undefined
      readonly placed: boolean
      /** Its handler says headers of its answers. */
      readonly says: boolean
      /** Names of the query's parameters. */
      readonly known: ReadonlyArray<string>
    }
    const rules = new WeakMap<object, Rule>()
    return DevApi.of((handle, { endpoint }) => {
      let rule = rules.get(endpoint)
      if (rule === undefined) {
        rule = {
          requirement: Context.get(endpoint.annotations, Requires),
          look: jsonPayload(endpoint),
          placed: endpoint.params !== undefined || endpoint.query !== undefined,
          says: Context.get(endpoint.annotations, OwnHeaders).length > 0,
          known: knownQuery(endpoint)
        }
        rules.set(endpoint, rule)
      }
      const { known, look, placed, requirement } = rule
      const carried = rule.says ? withOwnHeaders(handle) : handle
      const checkedHandler = known.length === 0 ? carried : Effect.andThen(misspelledQuery(known), carried)
      return handleRequest(requirement, look, placed ? Effect.andThen(nulInTarget, checkedHandler) : checkedHandler)
    })
  })
)
