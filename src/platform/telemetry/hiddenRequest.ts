// Gives a request whose address is a credential a span, which has the route and nothing else of the address (Tracing.ts leaves such
// requests out).
import { Context, Effect, Option, References } from "effect"
import { HttpServerRequest, type HttpServerResponse, HttpTraceContext } from "effect/http"

export const hiddenRequest =
  (route: string) =>
  <E, R>(self: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R>((fiber) => {
      const request = Context.getOrUndefined(fiber.context, HttpServerRequest.HttpServerRequest)
      if (request === undefined || !Context.get(fiber.context, References.TracerEnabled)) return self
      const parent = Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers))
      const withStatus = Effect.tap(self, ({ status }) =>
        Effect.annotateCurrentSpan("http.response.status_code", status)
      )
      return Effect.withSpan(withStatus, `${request.method} ${route}`, {
        ...(parent === undefined ? { root: true } : { parent }),
        kind: "server",
        attributes: { "http.request.method": request.method, "http.route": route }
      }) as Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    })
