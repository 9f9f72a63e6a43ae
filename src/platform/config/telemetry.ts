// Settings of traces and metrics: OpenTelemetry's own environment variables, as far as they mean something here (decisions P2, P12).
import { Config, Redacted, Schema } from "effect"
import { int, pairs } from "./settingTypes.ts"

/** Comma list of exporters. */
const exporters = <A extends string>(name: string, allowed: ReadonlyArray<A>, fallback: A) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter(
        (s: string) =>
          s.split(",").every((one) => allowed.some((name) => name === one.trim())) ||
          `${name}: expected one or several of ${allowed.join(", ")}`
      )
    ),
    name
  ).pipe(
    Config.withDefault(fallback as string),
    Config.map((s) => s.split(",").map((one) => one.trim() as A))
  )

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

export const telemetryConfigs = {
  otelDisabled: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false)),
  otelServiceName: Config.NonEmptyString("OTEL_SERVICE_NAME").pipe(Config.withDefault("millrace")),
  otelResourceAttributes: pairs("OTEL_RESOURCE_ATTRIBUTES").pipe(Config.withDefault({})),
  otlpEndpoint: Config.option(Config.URL("OTEL_EXPORTER_OTLP_ENDPOINT")),
  otlpTracesEndpoint: Config.option(Config.URL("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")),
  otlpMetricsEndpoint: Config.option(Config.URL("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT")),
  /** Hidden, since collectors take keys in headers. */
  otlpHeaders: pairs("OTEL_EXPORTER_OTLP_HEADERS").pipe(
    Config.map((headers): Redacted.Redacted<Readonly<Record<string, string>>> | undefined => Redacted.make(headers)),
    Config.withDefault(undefined)
  ),
  otlpProtocol: Config.Literals(["http/protobuf", "http/json"], "OTEL_EXPORTER_OTLP_PROTOCOL").pipe(
    Config.withDefault("http/protobuf" as const)
  ),
  otelTraces: exporters("OTEL_TRACES_EXPORTER", ["otlp", "none"], "otlp"),
  otelMetrics: exporters("OTEL_METRICS_EXPORTER", ["prometheus", "otlp", "none"], "prometheus"),
  otelMetricInterval: int("OTEL_METRIC_EXPORT_INTERVAL", 60_000, 100),
  otelSpanDelay: int("OTEL_BSP_SCHEDULE_DELAY", 5_000, 100),
  otelSampler: Config.Literals(samplers, "OTEL_TRACES_SAMPLER").pipe(
    Config.withDefault("parentbased_always_on" as const)
  ),
  otelSamplerArg: Config.schema(
    Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    "OTEL_TRACES_SAMPLER_ARG"
  ).pipe(Config.withDefault(1))
}
