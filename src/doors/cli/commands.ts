// All commands of the operator's line; the README's table lists them.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { prepare } from "../../ground/sql/prepare.ts"
import { accountCommands } from "./accounts.ts"
import { automationCommands } from "./automations.ts"
import { demoCommands } from "./demo.ts"
import { housekeepingCommands } from "./housekeeping.ts"
import { keyCommands } from "./keys.ts"
import { mailCommands } from "./mail.ts"
import { oauthCommands } from "./oauth.ts"
import { json, print } from "./output.ts"
import { runCommands } from "./runs.ts"
import { webhookCommands } from "./webhooks.ts"

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
  ...mailCommands,
  ...keyCommands,
  ...housekeepingCommands,
  ...demoCommands
] as const
