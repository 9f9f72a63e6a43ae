// Logs to the console: readable by default, one JSON object a line with LOG_FORMAT=json.
import { Effect, Layer, Logger, References } from "effect"
import { AppConfig } from "../config/Config.ts"
import { jsonLines } from "./logLine.ts"

const levels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

export const Logging = Layer.unwrap(
  Effect.map(AppConfig, ({ logFormat, logLevel, processNumber, processPorts, role }) =>
    Layer.mergeAll(
      processPorts.length === 0
        ? Layer.empty
        : Layer.succeed(References.CurrentLogAnnotations, { process: processNumber }),
      Logger.layer([logFormat === "json" ? jsonLines(role) : Logger.consolePretty()]),
      Layer.succeed(References.MinimumLogLevel, levels[logLevel])
    )
  )
)
