// Calls of the Developer API from inside the process, over a router of their own (domain/accounts/InProcess.ts).
import { Context, Effect, Layer, Option } from "effect"
import {
  Headers,
  HttpBody,
  HttpClientRequest,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse,
  UrlParams
} from "effect/http"
import type { ResolvedCaller } from "../domain/accounts/callerFacts.ts"
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

/** Request as a server reads it. Headers have the form that they would have on the way here: without blanks around their values. */
const requestOf = (baseUrl: string, { method, path, body, headers }: InProcessCall) => {
  const named = body === undefined ? headers : { ...headers, "content-type": "application/json" }
  return HttpServerRequest.fromClientRequest(
    HttpClientRequest.makeWith(
      method,
      baseUrl + path,
      UrlParams.empty,
      Option.none(),
      named === undefined ? Headers.empty : Headers.fromInput(new globalThis.Headers(named)),
      body === undefined ? HttpBody.empty : HttpBody.text(JSON.stringify(body), "application/json")
    )
  )
}

/** Text of an answer's body; only streams and files go through the web's own response. */
const textOf = (response: HttpServerResponse.HttpServerResponse): Effect.Effect<string> => {
  const { body } = response
  if (body._tag === "Empty") return Effect.succeed("")
  return body._tag === "Uint8Array"
    ? Effect.sync(() => body.text ?? Buffer.from(body.body).toString("utf8"))
    : Effect.promise(() => HttpServerResponse.toWeb(response).text())
}

/** Provides `InProcess` over the given routes; needs what their handlers need. */
export const inProcess = <E, R>(
  routes: Layer.Layer<never, E, R>
): Layer.Layer<InProcess, HttpRouter.Request.Without<E>, Needs<R> | AppConfig> =>
  Layer.effect(
    InProcess,
    Effect.gen(function* () {
      const { baseUrl } = yield* AppConfig
      const app = yield* isolatedRouter(routes)
      const call = Effect.fnUntraced(function* (caller: ResolvedCaller, call: InProcessCall) {
        const response = yield* app.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, requestOf(baseUrl, call)),
          Effect.provideService(InternalCaller, caller),
          Effect.scoped,
          // The middleware answers every failure of an endpoint; what is left is a path that no endpoint serves.
          Effect.orDie
        )
        const text = yield* textOf(response)
        return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
      })
      return InProcess.of({ call })
    })
  ) as Layer.Layer<InProcess, HttpRouter.Request.Without<E>, Needs<R> | AppConfig>
