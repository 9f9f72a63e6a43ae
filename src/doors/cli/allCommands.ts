// All commands of the operator's line; the README's table lists them.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { prepare } from "../../ground/sql/prepareDatabase.ts"
import { accountCommands } from "./accountCommands.ts"
import { automationCommands } from "./automationCommands.ts"
import { demoCommands } from "./demo.ts"
import { housekeepingCommands } from "./housekeepingCommands.ts"
import { installationCommands } from "./installationCommands.ts"
import { keyCommands } from "./keyCommands.ts"
import { mailCommands } from "./mailCommands.ts"
import { oauthCommands } from "./oauthCommands.ts"
import { json, print } from "./output.ts"
import { runCommands } from "./runCommands.ts"
import { scheduleCommands } from "./scheduleCommands.ts"
import { secretCommands } from "./secretCommands.ts"
import { webhookCommands } from "./webhookCommands.ts"

const migrateCommand = Command.make("migrate", { json }, ({ json }) =>
  Effect.flatMap(prepare, (done) => print(json, { migrations_run: done.map(([id, name]) => `${id}_${name}`) }))
).pipe(
  Command.withDescription(
    "Bring the database to this release's schema, as DATABASE_OWNER_URL where it is set, and grant the service its rights"
  )
)

export const commands = [
  migrateCommand,
  ...accountCommands,
  ...oauthCommands,
  ...webhookCommands,
  ...automationCommands,
  ...runCommands,
  ...scheduleCommands,
  ...mailCommands,
  ...secretCommands,
  ...keyCommands,
  ...housekeepingCommands,
  ...installationCommands,
  ...demoCommands
] as const
