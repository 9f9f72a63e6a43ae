// Middleware that every answer passes: request id, CORS by path (developer-api.md 1.1, decisions O11), the headers of decisions P10, the
// source address behind trusted proxies (P5), one log line, metrics, compression, and a body for requests that no route answered.
import { randomUUID } from "node:crypto"
import { Cause, Clock, Context, Effect, Layer, LogLevel, Option, References } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { devApiError } from "../../api/middleware/errorBodies.ts"
import { isUnfinished } from "../../platform/bounds/Body.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { loggable, pathOf } from "../../platform/primitives/requestPath.ts"
import { Stopping } from "../../platform/primitives/Stopping.ts"
import { inBrief, isTransientIn, TRANSIENT_RETRY_SECONDS } from "../../platform/sql/transientErrors.ts"
import { makeCompression } from "./compression.ts"
import { cors, isOpen, makeIsForeign, varies } from "./crossOrigin.ts"
import { refuseMalformed } from "./malformedRequests.ts"
import { notFound } from "./notFound.ts"
import { countRequest, observeRequests, requestBegan, requestEnded, routeOf } from "./requestMetrics.ts"
import { securityHeaders } from "./securityHeaders.ts"
import { makeMisdirected } from "./serviceHost.ts"

/** An entry point without a frame of its own for it; what it may have changed is not known here. */
const answerAway = (path: string) =>
  HttpServerResponse.jsonUnsafe(
    devApiError(503, "service_unavailable", "The database cannot be reached right now. Try again in a moment.", path),
    { status: 503, headers: { "retry-after": String(TRANSIENT_RETRY_SECONDS) } }
  )

const broken = (path: string) =>
  HttpServerResponse.jsonUnsafe(
    devApiError(500, "internal_server_error", "The service failed to carry this out.", path),
    { status: 500 }
  )

const settleApp = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, path: string) =>
  // The router cuts a path at a semicolon.
  Effect.catchCause(path.includes(";") ? Effect.succeed(notFound(path)) : app, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const failure = Cause.findErrorOption(cause)
    if (
      Option.isSome(failure) &&
      HttpServerError.isHttpServerError(failure.value) &&
      failure.value.reason._tag === "RouteNotFound"
    ) {
      return Effect.succeed(notFound(path))
    }
    if (isTransientIn(cause))
      return Effect.as(Effect.logWarning("the database is away", inBrief(cause)), answerAway(path))
    return Effect.as(Effect.logError("request failed", cause), broken(path))
  })

const isOver = Effect.sync(requestEnded)

/** Written without generators: every request passes here. */
export const ServerMiddlewareLayer = HttpRouter.middleware(
  Effect.gen(function* () {
    const { baseUrl, mcpUrl, trustedProxies } = yield* AppConfig
    const misdirected = makeMisdirected([baseUrl, mcpUrl])
    const isForeign = makeIsForeign({ baseUrl, mcpUrl })
    const secure = baseUrl.startsWith("https:")
    const scheme = secure ? "https" : "http"
    const protectedBy = securityHeaders(secure)
    const stopping = yield* Stopping
    yield* observeRequests
    const compressed = yield* makeCompression
    const forwarded =
      trustedProxies.length === 0 ? <A>(app: A) => app : HttpMiddleware.xForwardedHeaders({ trustedProxies })
    return (app) =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const path = pathOf(request.originalUrl)
        const id = randomUUID()
        const clock = fiber.getRef(Clock.Clock)
        const start = clock.currentTimeMillisUnsafe()
        const isOpenPath = isOpen(path)
        const foreign = isOpenPath && isForeign(request, path)
        let route = ""
        const refusal = refuseMalformed(request, path) ?? misdirected(request, path)
        const inner = Effect.map(refusal === undefined ? settleApp(app, path) : Effect.succeed(refusal), (response) => {
          route = routeOf(fiber)
          return response
        })
        requestBegan()
        const answered = Effect.flatMap(
          Effect.annotateLogs(forwarded(foreign ? cors(inner) : inner), { request: id }),
          (response) => {
            const millis = clock.currentTimeMillisUnsafe() - start
            countRequest(fiber, { method: request.method, scheme, route, status: response.status, millis })
            const headers = protectedBy(response, isOpenPath)
            headers["x-request-id"] = id
            if (isOpenPath && !foreign) headers["vary"] = varies(response)
            return Effect.flatMap(stopping.leaving, (last) => {
              // A connection kept alive would be used again when there is nobody to answer, and holds the socket open.
              if (last || isUnfinished(request)) headers["connection"] = "close"
              return compressed(request, HttpServerResponse.setHeaders(response, headers))
            })
          }
        )
        const silent = LogLevel.isGreaterThan(fiber.getRef(References.MinimumLogLevel), "Debug")
        const loggedAnswer = silent
          ? answered
          : Effect.tap(answered, ({ status }) =>
              Effect.logDebug(
                `${request.method} ${loggable(path)} ${status} ${clock.currentTimeMillisUnsafe() - start} ms`
              ).pipe(Effect.annotateLogs({ request: id }))
            )
        return Effect.onExit(loggedAnswer, () => isOver)
      })
  }),
  { global: true }
).pipe(Layer.provide(HttpRouter.disableLogger))
