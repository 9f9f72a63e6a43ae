// Operator commands for the configuration (decisions P2). They need no database, and show settings that are wrong too.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { inForce } from "../../ground/config/inForce.ts"
import { failWith, json, print } from "./output.ts"

const printCommand = Command.make("print", { json }, ({ json }) =>
  Effect.gen(function* () {
    const { settings, problems } = yield* inForce
    yield* print(json, settings)
    if (problems.length > 0) return yield* failWith({ message: problems.join("\n") })
  })
).pipe(Command.withDescription("Each setting as it is in force and where it came from; what is secret is hidden"))

/** Run without the services of the other commands, which would not start with a mistake. */
export const configCommand = Command.make("config").pipe(
  Command.withDescription("The settings: environment, .env, files, defaults"),
  Command.withSubcommands([printCommand])
)
