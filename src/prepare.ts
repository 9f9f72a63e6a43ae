// Run by the launcher before the service, as a process of its own: the service never holds the address of who owns the schema.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Logger } from "effect"
import { prepare } from "./ground/sql/prepareDatabase.ts"

prepare.pipe(
  Effect.tap((done) => (done.length === 0 ? Effect.void : Console.log(`millrace: ${done.length} migrations run`))),
  Effect.catch((error) =>
    Effect.andThen(
      Console.error(`millrace: the database could not be prepared: ${error.message}`),
      Effect.sync(() => {
        process.exitCode = 1
      })
    )
  ),
  Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
  NodeRuntime.runMain
)
