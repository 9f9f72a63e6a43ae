// Health for orchestrators, metrics for Prometheus. Only a process without the api role is unready for lack of Temporal.
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { observeGauges } from "../actors/gauges.ts"
import { AppConfig } from "../Config.ts"

export interface PartHealth {
  readonly name: string
  readonly ok: boolean
  readonly detail?: string
}

/** Parts report themselves here (`temporal`, `relay`); a room adds a probe while its layer is built. */
export class HealthProbes extends Context.Service<
  HealthProbes,
  {
    readonly add: (name: string, probe: Effect.Effect<{ readonly ok: boolean; readonly detail?: string }>) => void
    readonly all: Effect.Effect<ReadonlyArray<PartHealth>>
  }
>()("millrace/http/HealthProbes") {
  static readonly layer = Layer.sync(HealthProbes, () => {
    const probes: Array<Effect.Effect<PartHealth>> = []
    return HealthProbes.of({
      add: (name, probe) => void probes.push(Effect.map(probe, (p) => ({ name, ...p }))),
      all: Effect.suspend(() => Effect.all(probes, { concurrency: "unbounded" }))
    })
  })
}

export const HealthLayer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const probes = yield* HealthProbes
    const { role } = yield* AppConfig
    const migrated = sql`SELECT 1 FROM effect_sql_migrations LIMIT 1`.pipe(
      Effect.timeout("2 seconds"),
      Effect.match({
        onFailure: () => ({ name: "postgres", ok: false, detail: "does not answer, or is not migrated" }),
        onSuccess: () => ({ name: "postgres", ok: true })
      })
    )
    const ready = Effect.gen(function* () {
      const postgres = yield* migrated
      const others = yield* probes.all
      const needsAll = role === "worker"
      const ok = postgres.ok && (!needsAll || others.every((p) => p.ok))
      return HttpServerResponse.jsonUnsafe({ ready: ok, parts: [postgres, ...others] }, { status: ok ? 200 : 503 })
    })
    const observeActors = observeGauges.pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      // Metrics of this process are told even while Postgres is away.
      Effect.catchCause((cause) => Effect.logDebug("relay and actors could not be counted", cause))
    )
    yield* router.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ live: true }))
    yield* router.add("GET", "/health/ready", ready)
    yield* router.add(
      "GET",
      "/metrics",
      Effect.map(Effect.andThen(observeActors, PrometheusMetrics.format()), (text) =>
        HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
    )
  })
)
