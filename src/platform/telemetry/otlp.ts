// OTLP addresses, headers and resource of this process, from the standard variables.
import { randomUUID } from "node:crypto"
import { Effect, Layer, Option, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization } from "effect/observability"
import { AppConfig, type AppConfigShape } from "../config/Config.ts"

/** Instance id that distinguishes the processes of one service, since each has a page and counters of its own. */
const instance = randomUUID()

/** URL of a signal: its own endpoint as it is; the common one with the signal's path. */
const urlOf = (own: Option.Option<URL>, all: Option.Option<URL>, path: string): string | undefined =>
  Option.getOrUndefined(
    Option.orElse(
      Option.map(own, ({ href }) => href),
      () => Option.map(all, ({ href }) => `${href.replace(/\/$/, "")}/${path}`)
    )
  )

/** Addresses by signal; undefined: the signal is not sent. */
export const targets = (config: AppConfigShape) => ({
  traces:
    config.otelDisabled || !config.otelTraces.includes("otlp")
      ? undefined
      : urlOf(config.otlpTracesEndpoint, config.otlpEndpoint, "v1/traces"),
  metrics:
    config.otelDisabled || !config.otelMetrics.includes("otlp")
      ? undefined
      : urlOf(config.otlpMetricsEndpoint, config.otlpEndpoint, "v1/metrics")
})

export const resource = ({ otelResourceAttributes, otelServiceName, role }: AppConfigShape) => ({
  serviceName: otelServiceName,
  attributes: { "service.instance.id": instance, "millrace.role": role, ...otelResourceAttributes }
})

export const headers = ({ otlpHeaders }: AppConfigShape): Readonly<Record<string, string>> =>
  otlpHeaders === undefined ? {} : Redacted.value(otlpHeaders)

/** Services that an exporter needs. */
export const Transport = Layer.merge(
  Layer.unwrap(
    Effect.map(AppConfig, ({ otlpProtocol }) =>
      otlpProtocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
    )
  ),
  FetchHttpClient.layer
)
