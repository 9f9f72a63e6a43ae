// Health for orchestrators, metrics for Prometheus; strangers learn no more than whether it is ready (decisions P10). Only a
// process without the api role is unready for lack of Temporal.
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import Negotiator from "negotiator"
import { devApiError } from "../../api/door/wire.ts"
import { observeGauges } from "../../engine/actors/gauges.ts"
import { AppConfig } from "../../ground/config/Config.ts"
import { contentTypes, type Form, page } from "../../ground/metrics/exposition.ts"
import { gauge } from "../../ground/metrics/instruments.ts"
import { observe, observing } from "../../ground/metrics/observers.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { makeIsOperator } from "./operator.ts"

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

const partUp = gauge("millrace.part.up")

const forms = Object.entries(contentTypes) as ReadonlyArray<[Form, string]>

/** Text unless OpenMetrics is liked better (RFC 9110 12.5.1). */
const formFor = (accept: string | undefined): Form => {
  const liked = new Negotiator({ headers: { accept } }).mediaType(forms.map(([, type]) => type))
  return forms.find(([, type]) => type === liked)?.[0] ?? "text"
}

const notOperator = HttpServerResponse.jsonUnsafe(
  devApiError(401, "dev_api_authentication", "Ask from the same machine, or send METRICS_TOKEN.", "/metrics"),
  { status: 401, headers: { "www-authenticate": 'Bearer realm="metrics"' } }
)

export const HealthLayer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const probes = yield* HealthProbes
    const { role } = yield* AppConfig
    const isOperator = yield* makeIsOperator
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
      const details = (yield* isOperator) ? { parts: [postgres, ...others] } : {}
      return HttpServerResponse.jsonUnsafe({ ready: ok, ...details }, { status: ok ? 200 : 503 })
    })
    yield* observing("the outbox", Effect.provideService(observeGauges, Sql, sql))
    yield* observing(
      "the parts",
      Effect.gen(function* () {
        for (const { name, ok } of [yield* migrated, ...(yield* probes.all)]) partUp.set(ok ? 1 : 0, name)
      })
    )
    const metrics = Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const form = formFor(headers["accept"])
      return HttpServerResponse.text(page(form, yield* observe), { contentType: contentTypes[form] })
    })
    yield* router.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ live: true }))
    yield* router.add("GET", "/health/ready", ready)
    yield* router.add(
      "GET",
      "/metrics",
      Effect.flatMap(isOperator, (operator) => (operator ? metrics : Effect.succeed(notOperator)))
    )
  })
)
