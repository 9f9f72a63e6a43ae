// Health for orchestrators, metrics for Prometheus; strangers learn no more than whether it is ready (decisions P10). Every part is
// looked at when an operator asks for it; which of them a process needs to be ready is said where the part is added.
import { Clock, Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import Negotiator from "negotiator"
import { recentRestarts } from "../../../bin/parts/restarts.js"
import { devApiError } from "../../api/middleware/errorBodies.ts"
import { observeGauges } from "../../engine/actors/gauges.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { contentTypes, type Form, page } from "../../platform/metrics/exposition.ts"
import { gauge } from "../../platform/metrics/instruments.ts"
import { observe, observing } from "../../platform/metrics/observers.ts"
import { Stopping } from "../../platform/primitives/Stopping.ts"
import { poolHealth } from "../../platform/sql/poolUse.ts"
import { postgresLiveness } from "../../platform/sql/postgresLiveness.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { schemaHealth } from "../../platform/sql/schemaLevel.ts"
import { diskHealth } from "./diskHealth.ts"
import { makeIsOperator } from "./operatorAccess.ts"
import { ALONE, makePageOfAll } from "./portSiblings.ts"

export interface PartHealth {
  readonly name: string
  readonly ok: boolean
  /** True if the process is not ready without this part. */
  readonly needed: boolean
  readonly detail?: string
}

const wellOf = (parts: ReadonlyArray<PartHealth>) => parts.every(({ needed, ok }) => ok || !needed)

type Probe = Effect.Effect<{ readonly ok: boolean; readonly detail?: string }>

/** Age of a result that is shared by all who ask only if the service is ready: probes take connections, and anybody may ask. */
const KEPT = "500 millis"

/** Parts report themselves here (`temporal`, `relay`); a module adds a probe while its layer is built. */
export class HealthProbes extends Context.Service<
  HealthProbes,
  {
    /** @param needed without it the process is not ready; otherwise it is only told */
    readonly add: (name: string, probe: Probe, needed?: boolean) => void
    readonly all: Effect.Effect<ReadonlyArray<PartHealth>>
    readonly some: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PartHealth>>
    /** True if all needed parts are well, as of the last half second. */
    readonly ready: Effect.Effect<boolean>
  }
>()("millrace/http/HealthProbes") {
  static readonly layer = Layer.effect(
    HealthProbes,
    Effect.gen(function* () {
      const probes: Array<{ readonly name: string; readonly probe: Probe; readonly needed: boolean }> = []
      const runProbes = (of: typeof probes) =>
        Effect.forEach(of, ({ name, needed, probe }) => Effect.map(probe, (found) => ({ name, needed, ...found })), {
          concurrency: "unbounded"
        })
      const needed = Effect.suspend(() => runProbes(probes.filter(({ needed }) => needed)))
      const cachedReadiness = yield* Effect.cachedWithTTL(Effect.map(needed, wellOf), KEPT)
      return HealthProbes.of({
        add: (name, probe, needed = true) => void probes.push({ name, probe, needed }),
        all: Effect.suspend(() => runProbes(probes)),
        some: (names) => Effect.suspend(() => runProbes(probes.filter(({ name }) => names.includes(name)))),
        ready: cachedReadiness
      })
    })
  )
}

const partUp = gauge("millrace.part.up")
/** Parts that npm start may restart. */
const EMBEDDED = ["postgres", "temporal"]
const restarts = gauge("millrace.part.restarts")

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
    const { dataDir } = yield* AppConfig
    const isOperator = yield* makeIsOperator
    const stopping = yield* Stopping
    const context = Context.make(Sql, sql)
    probes.add("postgres", postgresLiveness(sql))
    probes.add("schema", Effect.provideContext(schemaHealth, context))
    probes.add("api pool", poolHealth(sql))
    const disk = yield* diskHealth(dataDir)
    if (disk !== undefined)
      probes.add(
        "disk",
        Effect.map(diskHealth(dataDir), (now) => now ?? disk),
        false
      )
    const answerReadiness = Effect.gen(function* () {
      const leaving = yield* stopping.leaving
      const parts = (yield* isOperator) ? yield* probes.all : undefined
      const isReady = !leaving && (parts === undefined ? yield* probes.ready : wellOf(parts))
      const shownParts = parts?.map(({ needed: _, ...part }) => part)
      const details = shownParts === undefined ? {} : { ...(leaving ? { stopping: true } : {}), parts: shownParts }
      return HttpServerResponse.jsonUnsafe({ ready: isReady, ...details }, { status: isReady ? 200 : 503 })
    })
    yield* observing("the outbox", Effect.provideContext(observeGauges, context))
    yield* observing(
      "the parts",
      Effect.gen(function* () {
        for (const { name, ok } of yield* probes.all) partUp.set(ok ? 1 : 0, name)
        const nowMillis = yield* Clock.currentTimeMillis
        const lately = recentRestarts(dataDir, nowMillis)
        for (const part of EMBEDDED) restarts.set(lately[part]?.length ?? 0, part)
      })
    )
    const pageOfAll = yield* makePageOfAll
    const metrics = Effect.gen(function* () {
      const { headers, url } = yield* HttpServerRequest.HttpServerRequest
      const form = formFor(headers["accept"])
      const ownPage = page(form, yield* observe)
      const pageText =
        pageOfAll === undefined || url.endsWith(`?${ALONE}`) ? ownPage : yield* pageOfAll(ownPage, contentTypes[form])
      return HttpServerResponse.text(pageText, { contentType: contentTypes[form] })
    })
    yield* router.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ live: true }))
    yield* router.add("GET", "/health/ready", answerReadiness)
    yield* router.add(
      "GET",
      "/metrics",
      Effect.flatMap(isOperator, (operator) => (operator ? metrics : Effect.succeed(notOperator)))
    )
  })
)
