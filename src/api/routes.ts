// The Developer API's routes and the middleware in front of them, as the server and callers inside the process share them.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answerCached, cacheContent, once } from "../platform/primitives/cachedContent.ts"
import { Api } from "./Api.ts"
import { compileAnswers } from "./compiledAnswers.ts"
import { descriptionText } from "./descriptionText.ts"
import { handlers } from "./handlers.ts"
import { inProcess } from "./InProcessLive.ts"
import { DevApiLive } from "./middleware/DevApiLive.ts"
import { Idempotency } from "./middleware/Idempotency.ts"
import { RateLimit } from "./middleware/RateLimit.ts"

export const MiddlewareLayer = Layer.mergeAll(RateLimit.layer, Idempotency.layer)

compileAnswers(Api.groups)

export const ApiRoutes = HttpApiBuilder.layer(Api).pipe(Layer.provide(handlers), Layer.provide(DevApiLive))

const description = once(() => cacheContent(descriptionText()))

/** Asked for again each time, since it changes with a release: `ETag` saves sending it. */
export const DescriptionRoute = HttpRouter.add(
  "GET",
  "/openapi.json",
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    answerCached(description(), headers["if-none-match"], "application/json", "public, no-cache")
  )
)

/** The Developer API for callers in a process that may serve no HTTP: scripts of runs. */
export const InProcessApi = inProcess(ApiRoutes).pipe(
  Layer.provide(MiddlewareLayer),
  Layer.provide(HttpServer.layerServices)
)
