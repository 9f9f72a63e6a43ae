// Pushes metrics over OTLP if OTEL_METRICS_EXPORTER says so; the page exists either way.
import { Duration, Effect, Layer } from "effect"
import { OtlpMetrics } from "effect/observability"
import { AppConfig } from "../config/Config.ts"
import { observe } from "../metrics/observers.ts"
import { headers, resource, Transport, targets } from "./otlp.ts"

export const MetricsPush = Layer.unwrap(
  Effect.map(AppConfig, (config) => {
    const { metrics: url } = targets(config)
    if (url === undefined) return Layer.empty
    const interval = Duration.millis(config.otelMetricInterval)
    // Observes twice per export, so that the exported values are not as old as the export before it.
    const observing = Layer.effectDiscard(
      Effect.forkScoped(Effect.forever(Effect.andThen(observe, Effect.sleep(Duration.divideUnsafe(interval, 2)))))
    )
    const pushing = OtlpMetrics.layer({
      url,
      resource: resource(config),
      headers: headers(config),
      exportInterval: interval
    })
    return Layer.merge(observing, Layer.provide(pushing, Transport))
  })
)
