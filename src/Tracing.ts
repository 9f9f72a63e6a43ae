// Traces over OTLP when OTEL_EXPORTER_OTLP_ENDPOINT is set; otherwise no spans at all, since unread ones cost a third of a request.
import { Effect, Layer, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { AppConfig } from "./Config.ts"

export const Tracing = Layer.unwrap(
  Effect.map(AppConfig, ({ otlpEndpoint }) =>
    Option.match(otlpEndpoint, {
      onNone: () => Layer.succeed(References.TracerEnabled, false),
      onSome: (url) =>
        OtlpTracer.layer({
          url: `${url.href.replace(/\/$/, "")}/v1/traces`,
          resource: { serviceName: "millrace" }
        }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))
    })
  )
)
