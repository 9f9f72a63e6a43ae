// The composition root: one process as api, worker or both (ROLE). Postgres is reached and migrated first.
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Logger, References } from "effect"
import { AppConfig } from "./Config.ts"
import { HealthProbes } from "./http/health.ts"
import { HttpLayer } from "./http/server.ts"
import { Secrets } from "./Secrets.ts"
import { Services } from "./services.ts"
import { layerPool } from "./sql/Client.ts"
import * as Migrator from "./sql/Migrator.ts"

const Logging = Layer.unwrap(
  Effect.map(AppConfig, ({ logFormat, logLevel }) =>
    Layer.mergeAll(
      Logger.layer([logFormat === "json" ? Logger.consoleJson : Logger.consolePretty()]),
      Layer.succeed(
        References.MinimumLogLevel,
        ({ trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const)[
          logLevel
        ]
      )
    )
  )
)

const Pool = Layer.unwrap(
  Effect.map(AppConfig, (config) =>
    layerPool({ url: config.databaseUrl, maxConnections: config.databasePoolApi, applicationName: "millrace-api" })
  )
)

const Main = HttpLayer.pipe(
  Layer.provide(Services),
  Layer.provide(HealthProbes.layer),
  Layer.provide(Migrator.layer),
  Layer.provide(Pool),
  Layer.provide(Secrets.layer),
  Layer.provide(Logging),
  Layer.provide(AppConfig.layer)
)

Layer.launch(Main).pipe(NodeRuntime.runMain)
