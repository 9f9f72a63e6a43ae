// The Developer API's front door: authenticate (401), rate limit (429), scope (403), resource (404, 403), input (400), then the
// handler; its failures become the documented body (developer-api.md 1.5). Unknown paths pass the same door.
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Access, Granted } from "../../domain/accounts/Access.ts"
import { Caller, type CallerShape } from "../../domain/accounts/Caller.ts"
import { Credentials } from "../../domain/accounts/Credentials.ts"
import { withText } from "../../ground/bounds/Body.ts"
import type { Look } from "../../ground/bounds/Bounds.ts"
import { AppConfig } from "../../ground/config/Config.ts"
import { pathOf } from "../../ground/primitives/requestPath.ts"
import { isAwayIn } from "../../ground/sql/away.ts"
import { type Changes, watched } from "../../ground/sql/Changes.ts"
import { presented } from "./credential.ts"
import { DevApi } from "./DevApi.ts"
import { errorResponse, failureResponse, rateHeaders, type Standing } from "./doorAnswers.ts"
import { granted, guardedResource } from "./guarded.ts"
import { Idempotency, sameRequest } from "./Idempotency.ts"
import { readJsonBody } from "./input.ts"
import { jsonPayload } from "./payload.ts"
import { RateLimit } from "./RateLimit.ts"
import { type Requirement, Requires } from "./Requires.ts"
import * as challenge from "./wwwAuthenticate.ts"

type Response = HttpServerResponse.HttpServerResponse

const HUNDRED_MEGABYTES = 100_000_000

const costOf = ({ cost = 1, costPer100Megabytes }: Requirement, request: HttpServerRequest.HttpServerRequest) =>
  costPer100Megabytes === undefined
    ? cost
    : cost + costPer100Megabytes * Math.floor(Number(request.headers["content-length"] ?? 0) / HUNDRED_MEGABYTES)

/** Who the caller is, and what they may still spend, stands in the database as well. */
const awayAtTheDoor = <E, R>(self: Effect.Effect<Response, E, R>) =>
  Effect.catchCause(self, (cause): Effect.Effect<Response, E, HttpServerRequest.HttpServerRequest> => {
    if (!isAwayIn(cause)) return Effect.failCause(cause)
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ originalUrl }) =>
      failureResponse(cause, pathOf(originalUrl))
    )
  })

/** The door itself; `handle` runs with caller and grant in its context. */
export const makeDoor = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const credentials = yield* Credentials
  const limits = yield* RateLimit
  const access = yield* Access
  const idempotency = yield* Idempotency
  const metadata = challenge.resourceMetadataUrl(baseUrl)

  const authenticate = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    { bearerOnly, guard, profile = false }: Requirement
  ) {
    const internal = yield* InternalCaller
    if (internal !== undefined) return internal
    const given = presented(request.headers)
    if (given._tag === "None") return "none" as const
    if (given._tag === "Unusable" || (bearerOnly === true && given.scheme !== "bearer")) return "invalid" as const
    const resource = guard === undefined ? undefined : yield* guardedResource(guard)
    return (yield* credentials.resolve(given.token, { profile, resource })) ?? ("invalid" as const)
  })

  return Effect.fnUntraced(function* <E, R>(
    requirement: Requirement,
    /** A JSON body is read and its sizes are looked at; none is expected where it is undefined. */
    look: Look | undefined,
    handle: Effect.Effect<Response, E, R | Caller | Granted>
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const endpoint = pathOf(request.originalUrl)
    const caller = yield* authenticate(request, requirement)
    if (caller === "none") {
      return errorResponse(
        401,
        "dev_api_authentication",
        "Send a credential: Authorization: Bearer <token>.",
        endpoint,
        {
          "www-authenticate": challenge.noCredential(metadata)
        }
      )
    }
    if (caller === "invalid") {
      return errorResponse(
        401,
        "dev_api_invalid_access_token",
        "The credential is invalid, expired, revoked or blocked.",
        endpoint,
        {
          "www-authenticate": challenge.invalidToken(metadata)
        }
      )
    }
    const budget = yield* limits.spend(caller.userId, costOf(requirement, request))
    const headers = rateHeaders(budget)
    if (!budget.allowed) {
      return errorResponse(
        429,
        "too_many_requests",
        `Rate limit reached; retry in ${budget.retryAfterSeconds} s.`,
        endpoint,
        headers,
        {
          retry_after: budget.retryAfterSeconds,
          rate_limit: budget.limit,
          rate_limit_remaining: budget.remaining,
          rate_limit_cost: budget.cost,
          rate_limit_reset: headers["x-retry-reset"]
        }
      )
    }
    const expectsJson = look !== undefined
    // Steps of runs key every change that they make (decisions A1), not only POSTs.
    const keyed = expectsJson && (request.method === "POST" || (yield* InternalCaller) !== undefined)
    const key = keyed ? request.headers["idempotency-key"] : undefined
    const answer = Effect.fnUntraced(function* (standing: Standing) {
      if (requirement.scope !== undefined && caller.scopes !== "all" && !caller.scopes.has(requirement.scope)) {
        return errorResponse(403, "forbidden", `The credential lacks the scope ${requirement.scope}.`, endpoint, {
          "www-authenticate": challenge.insufficientScope(metadata, [requirement.scope])
        })
      }
      const grant = yield* granted(access, caller, requirement)
      const body = expectsJson ? yield* readJsonBody(request, look) : ""
      const provided = Effect.updateContext(handle, (context: Context.Context<Exclude<R, Caller | Granted>>) => {
        const known = Context.add(Context.add(context, Caller, caller), Granted, grant) as Context.Context<R>
        const read = HttpServerRequest.HttpServerRequest
        return (expectsJson ? Context.add(known, read, withText(request, body)) : known) as Context.Context<
          R | Caller | Granted
        >
      })
      if (key === undefined) return yield* provided
      // A script that begins again may say it otherwise (the time, a random number): it gets the first answer all the same.
      const asked = caller.origin === undefined ? sameRequest(request.originalUrl, body) : ""
      const call = { userId: caller.userId, method: request.method, path: endpoint, key, body: asked }
      return yield* idempotency.run(call, provided, (cause) => failureResponse(cause, endpoint, standing))
    })
    const standing = (changes: Changes): Standing => ({ changes, keyed: key !== undefined })
    const answered = yield* watched((changes) =>
      Effect.catchCause(answer(standing(changes)), (cause) => failureResponse(cause, endpoint, standing(changes)))
    )
    // Until the database is back is another time than until the budget refills.
    const wait = answered.status === 503 ? answered.headers["retry-after"] : undefined
    return HttpServerResponse.setHeaders(answered, wait === undefined ? headers : { ...headers, "retry-after": wait })
  }, awayAtTheDoor)
})

/** Set by callers inside the process that have authenticated already (scripts, the MCP server): no header is read then. */
export const InternalCaller = Context.Reference<CallerShape | undefined>("millrace/http/InternalCaller", {
  defaultValue: () => undefined
})

export const DevApiLive = Layer.effect(
  DevApi,
  Effect.map(makeDoor, (door) => {
    const rules = new WeakMap<object, { requirement: Requirement; look: Look | undefined }>()
    return DevApi.of((handle, { endpoint }) => {
      let rule = rules.get(endpoint)
      if (rule === undefined) {
        rule = { requirement: Context.get(endpoint.annotations, Requires), look: jsonPayload(endpoint) }
        rules.set(endpoint, rule)
      }
      return door(rule.requirement, rule.look, handle)
    })
  })
)
