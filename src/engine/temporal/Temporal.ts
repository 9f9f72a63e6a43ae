// Keeps the connection to Temporal, in the background: the service starts and takes writes without it. A call to an absent server hangs for
// ten seconds whatever its deadline, so only background fibers call it.
import type { Client } from "@temporalio/client"
import type { NativeConnection } from "@temporalio/worker"
import { Context, Deferred, Effect, Layer, Schedule, Scope } from "effect"
import { load, type TemporalSettings as Settings } from "../../../temporal.config.ts"
import { CoreMetrics, isTaken, metricsOptions } from "./coreMetrics.ts"
import { prepareNamespace } from "./namespace.ts"
import { sdkLogger } from "./sdkLogger.ts"
import { callTemporal, type TemporalFailed } from "./TemporalFailed.ts"

export class TemporalSettings extends Context.Service<TemporalSettings, Settings>()("millrace/temporal/Settings") {
  /** Reads the settings from the environment; a mistake in them is a defect of the start. */
  static readonly layer = Layer.effect(TemporalSettings, Effect.sync(load))
}

export interface TemporalShape {
  readonly settings: Settings
  /** Connection shared by client and workers; waits until there is one. */
  readonly connection: Effect.Effect<NativeConnection>
  readonly client: Effect.Effect<Client>
  readonly connected: Effect.Effect<boolean>
  /** Calls the server from a background fiber: waits for the connection, fails with the server's answer. */
  readonly call: <A>(f: (client: Client) => Promise<A>) => Effect.Effect<A, TemporalFailed>
}

// Effect alone owns the process's signals. Runtime options can be set once in a process, before the first connection.
let installed = false
/** Loaded when a connection is wanted: it brings a native core that most commands of the operator never need. */
const sdk = Effect.gen(function* () {
  const coreMetrics = yield* CoreMetrics
  const logger = sdkLogger(yield* Effect.context<never>())
  return yield* callTemporal(async () => {
    const loaded = await import("@temporalio/worker")
    if (!installed) {
      const metrics = coreMetrics === undefined ? {} : { metrics: await metricsOptions(coreMetrics) }
      loaded.Runtime.install({
        shutdownSignals: [],
        logger,
        telemetryOptions: { logging: { filter: { core: "WARN", other: "ERROR" }, forward: {} }, ...metrics }
      })
    }
    installed = true
    return loaded
  })
})

const connect = (settings: Settings) =>
  Effect.acquireRelease(
    Effect.flatMap(sdk, ({ NativeConnection }) =>
      callTemporal(() => NativeConnection.connect(settings.connection))
    ).pipe(
      Effect.tapError(({ message }) =>
        Effect.sync(() => {
          if (isTaken(message)) installed = false
        })
      )
    ),
    (connection) => Effect.ignore(Effect.tryPromise(() => connection.close()))
  )

export class Temporal extends Context.Service<Temporal, TemporalShape>()("millrace/temporal/Temporal") {
  static readonly layer = Layer.effect(
    Temporal,
    Effect.gen(function* () {
      const settings = yield* TemporalSettings
      const firstConnection = yield* Deferred.make<NativeConnection>()
      const scope = yield* Effect.scope
      yield* connectForEver(settings, scope).pipe(
        Effect.flatMap((connection) => Deferred.succeed(firstConnection, connection)),
        Effect.forkScoped
      )
      const connection = Deferred.await(firstConnection)
      const client = yield* Effect.cached(
        Effect.flatMap(connection, (c) =>
          Effect.promise(async () => {
            const { Client } = await import("@temporalio/client")
            return new Client({ connection: c, namespace: settings.namespace })
          })
        )
      )
      return Temporal.of({
        settings,
        connection,
        client,
        connected: Deferred.isDone(firstConnection),
        call: (f) => Effect.flatMap(client, (c) => callTemporal(() => f(c)))
      })
    })
  )
}

const retryEverySecond = Schedule.spaced("1 second")

const connectForEver = Effect.fnUntraced(function* (settings: Settings, scope: Scope.Scope) {
  let failures = 0
  const persist = <A, R>(self: Effect.Effect<A, TemporalFailed, R>) =>
    self.pipe(
      Effect.tapError((error) =>
        // Logs at once and then once a minute.
        failures++ % 60 === 0
          ? Effect.logWarning(`Temporal at ${settings.connection.address} is not ready: ${error.message}`)
          : Effect.void
      ),
      Effect.retry(retryEverySecond),
      Effect.orDie
    )
  // The scope is the layer's: the connection outlives this fiber and closes after the workers that use it.
  const connection = yield* persist(Scope.provide(connect(settings), scope))
  yield* persist(prepareNamespace(connection, settings))
  yield* Effect.logInfo(`connected to Temporal at ${settings.connection.address}, namespace ${settings.namespace}`)
  return connection
})
