// Sends traces over OTLP if an endpoint is set; otherwise there are no spans at all, since unread ones cost a third of a request.
import { Duration, Effect, Layer, References, Tracer } from "effect"
import { HttpMiddleware, UrlParams } from "effect/http"
import { OtlpTracer } from "effect/observability"
import { AppConfig, type AppConfigShape } from "../config/Config.ts"
import { loggable, pathOf } from "../primitives/requestPath.ts"
import { headers, resource, Transport, targets } from "./otlp.ts"

/**
 * Hides secrets in spans of requests, which hold their URL. No value of a query is kept, since people and clients put codes and tokens
 * there, and a request whose path is a credential has no span of its own.
 */
const Secrecy = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, [/^/]),
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ originalUrl }) => {
    const path = pathOf(originalUrl)
    return loggable(path) !== path
  })
)

/** Spans of statements and other calls are part of what they serve, and begin no trace: relay and actors look for work all the time. */
const TRANSACTION = "sql.transaction"
const serves = ({ kind, name }: Asked) => kind === "client" || name === TRANSACTION

type Asked = Parameters<Tracer.Tracer["span"]>[0]

/** True if a span is sent (OTEL_TRACES_SAMPLER): `parentbased_…` decides at the root, the others at every span. */
const sampling = ({ otelSampler, otelSamplerArg }: AppConfigShape): ((span: Asked) => boolean) => {
  const [base, parentBased] = otelSampler.startsWith("parentbased_")
    ? [otelSampler.slice("parentbased_".length), true]
    : [otelSampler, false]
  const root = () => base === "always_on" || (base === "traceidratio" && Math.random() < otelSamplerArg)
  return (asked) => {
    const { parent, sampled } = asked
    if (!sampled || (serves(asked) && !(parent._tag === "Some" && parent.value.sampled))) return false
    return parentBased && parent._tag === "Some" ? parent.value.sampled : root()
  }
}

const Sampled = Layer.effect(
  Tracer.Tracer,
  Effect.gen(function* () {
    const tracer = yield* Tracer.Tracer
    const decide = sampling(yield* AppConfig)
    return Tracer.make({ ...tracer, span: (asked) => tracer.span({ ...asked, sampled: decide(asked) }) })
  })
)

export const Tracing = Layer.unwrap(
  Effect.map(AppConfig, (config) => {
    const { traces: url } = targets(config)
    if (url === undefined) return Layer.succeed(References.TracerEnabled, false)
    const traceExport = OtlpTracer.layer({
      url,
      resource: resource(config),
      headers: headers(config),
      exportInterval: Duration.millis(config.otelSpanDelay)
    })
    return Layer.merge(Secrecy, Sampled.pipe(Layer.provide(traceExport), Layer.provide(Transport)))
  })
)
