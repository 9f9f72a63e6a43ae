// Traces over OTLP when OTEL_EXPORTER_OTLP_ENDPOINT is set; otherwise no spans at all, since unread ones cost a third of a request.
import { Effect, Layer, Option, References } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { AppConfig } from "../config/Config.ts"
import { loggable, pathOf } from "../primitives/requestPath.ts"

/**
 * Spans of requests hold their URL. No value of a query is kept, since people and clients put codes and tokens there, and a
 * request whose path is a credential has no span of its own.
 */
const Secrecy = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, [/^/]),
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ originalUrl }) => {
    const path = pathOf(originalUrl)
    return loggable(path) !== path
  })
)

export const Tracing = Layer.unwrap(
  Effect.map(AppConfig, ({ otlpEndpoint }) =>
    Option.match(otlpEndpoint, {
      onNone: () => Layer.succeed(References.TracerEnabled, false),
      onSome: (url) =>
        Layer.merge(
          Secrecy,
          OtlpTracer.layer({
            url: `${url.href.replace(/\/$/, "")}/v1/traces`,
            resource: { serviceName: "millrace" }
          }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))
        )
    })
  )
)
