// A small pool for commands that look at an installation whatever its state.
import { Effect, Layer, Option } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { layerPool } from "../../platform/sql/Pool.ts"

export const onePool = Layer.unwrap(
  Effect.map(AppConfig, ({ databaseDirectUrl, databaseUrl }) =>
    layerPool({
      url: databaseUrl,
      directUrl: Option.getOrElse(databaseDirectUrl, () => databaseUrl),
      maxConnections: 2,
      applicationName: "millrace-doctor"
    })
  )
)
