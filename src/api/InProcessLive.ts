// Calls of the Developer API from inside the process, over a router of their own (domain/accounts/InProcess.ts).
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { CallerShape } from "../domain/accounts/Caller.ts"
import { InProcess, type InProcessCall } from "../domain/accounts/InProcess.ts"
import { AppConfig } from "../platform/config/Config.ts"
import { InternalCaller } from "./middleware/DevApiLive.ts"
import { RouterLayer } from "./middleware/router.ts"

/** A router of its own, filled by `routes`; the process's own router is not touched. */
const isolatedRouter = <E, R>(routes: Layer.Layer<never, E, R>) =>
  Effect.map(
    Layer.build(Layer.fresh(Layer.provideMerge(routes, RouterLayer) as Layer.Layer<HttpRouter.HttpRouter, E, R>)),
    (context) => Context.get(context, HttpRouter.HttpRouter).asHttpEffect()
  )

/** Requirements of a router's layer, except the router itself and the markers of what its routes need per request. */
type Needs<R> = Exclude<HttpRouter.Request.Without<R>, HttpRouter.HttpRouter>

/** Provides `InProcess` over the given routes; needs what their handlers need. */
export const inProcess = <E, R>(
  routes: Layer.Layer<never, E, R>
): Layer.Layer<InProcess, HttpRouter.Request.Without<E>, Needs<R> | AppConfig> =>
  Layer.effect(
    InProcess,
    Effect.gen(function* () {
      const { baseUrl } = yield* AppConfig
      const app = yield* isolatedRouter(routes)
      const call = Effect.fnUntraced(function* (caller: CallerShape, { method, path, body, headers }: InProcessCall) {
        const init: RequestInit = { method, headers: { ...headers } }
        if (body !== undefined) {
          init.headers = { ...headers, "content-type": "application/json" }
          init.body = JSON.stringify(body)
        }
        const request = HttpServerRequest.fromWeb(new Request(baseUrl + path, init))
        const response = yield* app.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, request),
          Effect.provideService(InternalCaller, caller),
          Effect.scoped,
          // The middleware answers every failure of an endpoint; what is left is a path that no endpoint serves.
          Effect.orDie
        )
        const text = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
        return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
      })
      return InProcess.of({ call })
    })
  ) as Layer.Layer<InProcess, HttpRouter.Request.Without<E>, Needs<R> | AppConfig>
