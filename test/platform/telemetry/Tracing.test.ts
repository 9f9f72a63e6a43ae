// Which traces are sent (OTEL_TRACES_SAMPLER): a root decides for all below it where the sampler is parent-based; none without an
// endpoint.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, References, Scope, Tracer } from "effect"
import { Tracing } from "../../../src/platform/telemetry/Tracing.ts"
import { configLayer } from "../../support/app.ts"
import { receiver } from "../../support/receiver.ts"

/** Names of the spans that reach a collector; all have been sent once the layer is closed. */
const collectSpans = (env: Record<string, string>) =>
  Effect.gen(function* () {
    const collector = yield* receiver()
    const scope = yield* Scope.make()
    const config = configLayer({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      ...env
    })
    const context = yield* Layer.buildWithScope(Tracing.pipe(Layer.provide(config)), scope)
    const external = (sampled: boolean) =>
      Tracer.externalSpan({ traceId: "a".repeat(32), spanId: "b".repeat(16), sampled })
    const below = (name: string, sampled: boolean) => Effect.withSpan(Effect.void, name, { parent: external(sampled) })
    yield* Effect.withSpan(Effect.withSpan(Effect.void, "inner"), "root", { root: true }).pipe(
      Effect.andThen(below("below a sampled one", true)),
      Effect.andThen(below("below one that is not", false)),
      Effect.provideContext(context)
    )
    yield* Scope.close(scope, Exit.void)
    return collector
      .of("/v1/traces")
      .flatMap(({ body }) => [...body.matchAll(/"name":"([^"]+)","kind"/g)].map(([, name]) => name!))
      .toSorted()
  }).pipe(Effect.scoped)

describe("OTEL_TRACES_SAMPLER", () => {
  it.live.each([
    [{}, ["below a sampled one", "inner", "root"]],
    [{ OTEL_TRACES_SAMPLER: "always_off" }, []],
    [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, ["below a sampled one"]],
    [{ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" }, ["below a sampled one"]],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "1" }, ["below a sampled one", "inner", "root"]],
    [{ OTEL_TRACES_EXPORTER: "none" }, []],
    [{ OTEL_SDK_DISABLED: "true" }, []]
  ] as const)("%j", ([env, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* collectSpans(env), [...expected])
    })
  )

  it.live("without an endpoint there are no spans at all", () =>
    Effect.gen(function* () {
      const enabled = yield* References.TracerEnabled.pipe(Effect.provide(Tracing.pipe(Layer.provide(configLayer()))))
      assert.isFalse(enabled)
    })
  )
})
