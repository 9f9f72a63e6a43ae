// Prepares the database. The launcher runs it before the service, as a process of its own: the service never holds the address of the
// schema's owner.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Logger } from "effect"
import { prepare } from "./platform/sql/prepareDatabase.ts"
import { earlyLines, reportRefusal, reportStep } from "./platform/telemetry/earlyLines.ts"

prepare.pipe(
  Effect.tap((done) => (done.length === 0 ? Effect.void : reportStep(`${done.length} migrations run`))),
  Effect.catch((error) =>
    Effect.andThen(
      reportRefusal(`the database could not be prepared: ${error.message}`),
      Effect.sync(() => {
        process.exitCode = 1
      })
    )
  ),
  Effect.provide(earlyLines("prepare", Logger.withConsoleError(Logger.formatLogFmt))),
  NodeRuntime.runMain
)
