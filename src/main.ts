// Composition root: one process as api, worker, both, or the MCP server alone (ROLE). Postgres is reached and migrated first; Temporal is
// reached in the background, since writes go on without it.
import { flushCompileCache } from "node:module"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Deferred, Effect, Layer, Logger, Option } from "effect"
import { type EpochEnded, layer as watchEpoch } from "./engine/epoch/epochWatch.ts"
import { Installation } from "./engine/epoch/Installation.ts"
import { RelayWake } from "./engine/outbox/RelayWake.ts"
import { CoreMetrics, CorePage } from "./engine/temporal/coreMetrics.ts"
import { Temporal, TemporalSettings } from "./engine/temporal/Temporal.ts"
import { HealthProbes } from "./interfaces/http/health.ts"
import { LauncherReports } from "./interfaces/http/launcherReports.ts"
import { HttpLayer, McpLayer, WorkerHealthLayer } from "./interfaces/http/server.ts"
import { AppConfig } from "./platform/config/Config.ts"
import { tellSettings } from "./platform/config/sharedSettings.ts"
import { ActorTuning } from "./platform/config/Tuning.ts"
import { confinement } from "./platform/confinement/Confinement.ts"
import { ProcessMetrics } from "./platform/metrics/processMetrics.ts"
import { Stopping } from "./platform/primitives/Stopping.ts"
import * as KeyCheck from "./platform/sealing/KeyCheck.ts"
import { Secrets } from "./platform/sealing/Secrets.ts"
import * as Migrator from "./platform/sql/Migrator.ts"
import { layerPool } from "./platform/sql/Pool.ts"
import { inBrief, isTransientIn } from "./platform/sql/transientErrors.ts"
import { Wakes } from "./platform/sql/Wakes.ts"
import { earlyLines, ownNodeLines, reportRefusal } from "./platform/telemetry/earlyLines.ts"
import { Logging } from "./platform/telemetry/Logging.ts"
import { LoopWatch } from "./platform/telemetry/LoopWatch.ts"
import { MetricsPush } from "./platform/telemetry/MetricsPush.ts"
import { headers, targets } from "./platform/telemetry/otlp.ts"
import { traceSources } from "./platform/telemetry/sourceTraces.ts"
import { Tracing } from "./platform/telemetry/Tracing.ts"
import { Services } from "./services.ts"

const pool = (name: "api" | "worker") =>
  Layer.unwrap(
    Effect.map(AppConfig, (config) =>
      layerPool({
        url: config.databaseUrl,
        directUrl: Option.getOrElse(config.databaseDirectUrl, () => config.databaseUrl),
        maxConnections: name === "api" ? config.databasePoolApi : config.databasePoolWorker,
        applicationName: `millrace-${name}`,
        // Workers send one statement per connection: their statements commit, and on connections of their own they wait for the disk
        // together (docs/benchmarks.md, "Measured choices").
        ...(name === "worker" ? { statementsAtOnce: 1, plansOnce: Option.isNone(config.databaseDirectUrl) } : {})
      })
    )
  )

const apiPool = pool("api")
const workerPool = pool("worker")

const Api = HttpLayer.pipe(Layer.provide(Services))
const Mcp = McpLayer.pipe(Layer.provide(Services))
const CoreWanted = Layer.effect(
  CoreMetrics,
  Effect.map(AppConfig, (config) => {
    const { metrics: url } = targets(config)
    return url === undefined ? "page" : { url, headers: headers(config), millis: config.otelMetricInterval }
  })
)
const TemporalLayer = Temporal.layer.pipe(
  Layer.provide(TemporalSettings.layer),
  Layer.provideMerge(CorePage),
  Layer.provide(CoreWanted)
)
const TuningLayer = Layer.effect(
  ActorTuning,
  Effect.map(AppConfig, (config) => config.actorTuning)
)
/**
 * Loads the worker only in roles that work: it brings Temporal's native core. Fresh as a whole: a layer that the API builds as well would
 * otherwise be one instance for both and stay with the pool of whichever was built first. Then an answer and its Idempotency-Key would
 * commit apart.
 */
const Work = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./worker.ts")),
    ({ WorkerLayer }) =>
      Layer.fresh(WorkerLayer.pipe(Layer.provide(workerPool), Layer.provide(TemporalLayer), Layer.provide(TuningLayer)))
  )
)

const roles = Layer.unwrap(
  Effect.map(AppConfig, ({ role }) => {
    switch (role) {
      case "all":
        return Layer.mergeAll(Api, Work).pipe(Layer.provide(Layer.mergeAll(RelayWake.layer, Wakes.layer)))
      case "worker":
        return Layer.mergeAll(WorkerHealthLayer, Work).pipe(Layer.provide(Layer.mergeAll(RelayWake.layer, Wakes.layer)))
      case "api":
        return Api.pipe(Layer.provide(Layer.mergeAll(RelayWake.layerRemote, Wakes.layer)))
      case "mcp":
        return Mcp.pipe(Layer.provide(Layer.mergeAll(RelayWake.layerRemote, Wakes.layer)))
    }
  })
)

/** Delays the shutdown: the process reports that it is not ready for as long as its proxies need to notice, and only then stops. */
const served = Layer.unwrap(
  Effect.map(AppConfig, ({ shutdownDelaySeconds }) => Stopping.atEnd(`${shutdownDelaySeconds} seconds`, roles))
)

/** Writes the compile cache to disk at the start, since a process may end without a chance to do so. */
const CompileCache = Layer.effectDiscard(Effect.sync(flushCompileCache))

/** Finds out and logs what confines scripts before the first script runs (decisions P9). */
const Confined = Layer.effectDiscard(
  Effect.gen(function* () {
    const { role, scriptConfinement } = yield* AppConfig
    if (role === "mcp") return
    const { told } = yield* confinement(scriptConfinement)
    yield* scriptConfinement === "off" ? Effect.logWarning(told) : Effect.logInfo(told)
    const { add } = yield* HealthProbes
    add("confinement", Effect.succeed({ ok: true, detail: told }))
  })
)

const Migrated = Layer.unwrap(
  Effect.map(AppConfig, ({ databaseDirectUrl }) =>
    Option.match(databaseDirectUrl, { onNone: () => Migrator.layer, onSome: Migrator.layerAt })
  )
)
const Prepared = Layer.mergeAll(KeyCheck.layer, Installation.layerSettled).pipe(Layer.provideMerge(Migrated))

/** Fails if the database is replaced beneath the process, and so ends it. */
const epochEnded = Deferred.makeUnsafe<never, EpochEnded>()
const Watched = watchEpoch((why) => Deferred.fail(epochEnded, why))

const Main = Layer.mergeAll(CompileCache, LauncherReports, Layer.effectDiscard(tellSettings)).pipe(
  Layer.provideMerge(served),
  Layer.provide(Watched),
  Layer.provide(Stopping.layer),
  Layer.provide(Layer.mergeAll(Prepared, Confined)),
  Layer.provide(apiPool),
  Layer.provide(HealthProbes.layer),
  Layer.provide(Secrets.layer),
  Layer.provide(Tracing),
  Layer.provide(MetricsPush),
  Layer.provide(ProcessMetrics),
  Layer.provide(LoopWatch),
  Layer.provide(Logging),
  Layer.provide(AppConfig.layer)
)

traceSources()
const role = process.env["ROLE"] ?? "all"
ownNodeLines(role)

/** Errors with which a start fails for a known reason: reported in one readable message. */
const expectedErrors = new Set([
  "ConfigInvalid",
  "KeyMismatch",
  "SchemaBehind",
  "SchemaAhead",
  "DatabaseUnfit",
  "ConfinementMissing",
  "EpochEnded"
])

Layer.launch(Main).pipe(
  Effect.raceFirst(Deferred.await(epochEnded)),
  Effect.catchCause((cause) => {
    const error = Cause.squash(cause) as { readonly _tag?: string; readonly message?: string }
    const isDatabaseAway = isTransientIn(cause)
    if (!isDatabaseAway && !expectedErrors.has(error._tag ?? "")) return Effect.failCause(cause)
    return Effect.andThen(
      reportRefusal(
        isDatabaseAway
          ? `The database is away (${inBrief(cause)}): start again when it is there.`
          : (error.message ?? "")
      ),
      Effect.sync(() => process.exit(1))
    )
  }),
  Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError(cause))),
  Effect.provide(earlyLines(role, Logger.consolePretty())),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
