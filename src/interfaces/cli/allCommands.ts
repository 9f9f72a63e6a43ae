// All commands of the operator's line; the README's table lists them.
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { prepare, prepareLater } from "../../platform/sql/prepareDatabase.ts"
import { accountCommands } from "./accountCommands.ts"
import { automationCommands } from "./automationCommands.ts"
import { demoCommands } from "./demo.ts"
import { housekeepingCommands } from "./housekeepingCommands.ts"
import { installationCommands } from "./installationCommands.ts"
import { keyCommands } from "./keyCommands.ts"
import { mailCommands } from "./mailCommands.ts"
import { oauthCommands } from "./oauthCommands.ts"
import { json, print } from "./output.ts"
import { jobCommands } from "./runBulkCommands.ts"
import { runCommands } from "./runCommands.ts"
import { scheduleCommands } from "./scheduleCommands.ts"
import { secretCommands } from "./secretCommands.ts"
import { typesCommands } from "./typesCommand.ts"
import { webhookCommands } from "./webhookCommands.ts"

const later = Flag.Boolean("later").pipe(
  Flag.withDescription(
    "Instead: changes of large tables, beside the service that runs; may be broken off and begun again"
  ),
  Flag.withDefault(false)
)

const migrateCommand = Command.make("migrate", { json, later }, ({ json, later }) =>
  later
    ? Effect.flatMap(prepareLater, (done) => print(json, { later_changes: done ? "done" : "somebody is at it" }))
    : Effect.flatMap(prepare, (done) => print(json, { migrations_run: done.map(([id, name]) => `${id}_${name}`) }))
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
  ...jobCommands,
  ...scheduleCommands,
  ...mailCommands,
  ...secretCommands,
  ...keyCommands,
  ...housekeepingCommands,
  ...installationCommands,
  ...typesCommands,
  ...demoCommands
] as const
