// The operator's commands, straight on the database over the same services as the API (decisions P1). `npm run cli -- --help`.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Logger, Option } from "effect"
import { CliError, Command } from "effect/cli"
import { RelayWake } from "./engine/outbox/RelayWake.ts"
import { commands } from "./interfaces/cli/allCommands.ts"
import { configCommand } from "./interfaces/cli/configCommands.ts"
import { doctorCommand } from "./interfaces/cli/doctorCommand.ts"
import { partsCommand } from "./interfaces/cli/partsCommand.ts"
import { HealthProbes } from "./interfaces/http/health.ts"
import { CurrentActor, operator } from "./platform/audit/AuditActor.ts"
import { AppConfig } from "./platform/config/Config.ts"
import { Secrets } from "./platform/sealing/Secrets.ts"
import { standsReady } from "./platform/sql/Migrator.ts"
import { layerPool } from "./platform/sql/Pool.ts"
import { Wakes } from "./platform/sql/Wakes.ts"
import { Services } from "./services.ts"

const Pool = Layer.unwrap(
  Effect.map(AppConfig, ({ databaseDirectUrl, databaseUrl }) =>
    layerPool({
      url: databaseUrl,
      directUrl: Option.getOrElse(databaseDirectUrl, () => databaseUrl),
      maxConnections: 2,
      applicationName: "millrace-cli"
    })
  )
)

const Environment = Services.pipe(
  Layer.provideMerge(HealthProbes.layer),
  Layer.provideMerge(Layer.mergeAll(RelayWake.layerRemote, Wakes.layerRemote)),
  Layer.provideMerge(Pool),
  Layer.provideMerge(Secrets.layer),
  Layer.provideMerge(AppConfig.layer)
)

/** Checks the schema first, as `doctor` does: a statement that fails for want of a table tells the caller nothing. */
const Ready = Layer.effectDiscard(standsReady).pipe(Layer.provide(Pool), Layer.provide(AppConfig.layer))

/**
 * Provides each command with its services one by one: `config` shows settings without services, which a mistake in them would keep from
 * starting.
 */
const operating = (
  commands as ReadonlyArray<
    Command.Command<string, unknown, unknown, { readonly message: string }, Layer.Success<typeof Environment>>
  >
).map((command) =>
  Command.provide(command, command.name === "migrate" ? Environment : Layer.provideMerge(Environment, Ready))
)

const cli = Command.make("millrace").pipe(
  Command.withDescription("Operate a Millrace installation"),
  Command.withSubcommands([...operating, configCommand, doctorCommand, partsCommand])
)

/** Prints an error to stderr. The library prints a command's usage errors itself, with the help. */
const reportError = (error: unknown) =>
  CliError.isCliError(error) && error._tag === "ShowHelp"
    ? Effect.void
    : Console.error(`millrace: ${(error as { message?: string }).message ?? String(error)}`)

const reported = Command.run(cli, { version: "0.2.0" }).pipe(
  Effect.catch((error) =>
    Effect.andThen(
      reportError(error),
      Effect.sync(() => {
        process.exitCode = 1
      })
    )
  )
)

reported.pipe(
  Effect.provideService(CurrentActor, operator),
  Effect.provide(NodeServices.layer),
  // Logs go to stderr: scripts read stdout, which carries output only.
  Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
  NodeRuntime.runMain
)
