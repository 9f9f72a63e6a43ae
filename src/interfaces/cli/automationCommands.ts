// Operator commands for definitions kept in git: `automation export` and `automation apply`, with a dry run that shows what
// would change. The same checks as over HTTP; the owner of an automation stays, unless another is named (decisions A20).
import { randomUUID } from "node:crypto"
import { readFile as readText } from "node:fs/promises"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Access } from "../../domain/accounts/Access.ts"
import { everything } from "../../domain/accounts/Authority.ts"
import { Automations } from "../../domain/automations/definitions/Automations.ts"
import {
  type AutomationFile,
  fileChanges,
  readFile,
  writeFile
} from "../../domain/automations/definitions/automationFiles.ts"
import { decodeOver } from "../../domain/automations/definitions/keptIds.ts"
import { decodeCreate } from "../../domain/automations/input/automationBodies.ts"
import { InputInvalid, ValidationError } from "../../platform/primitives/errors.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { callerOf, findAutomation, grantOf } from "./operatorActs.ts"
import { json, print } from "./output.ts"
import { exportPortable, portableTarget } from "./portableApply.ts"
import { revisionCommands } from "./revisionCommands.ts"
import { tryCommands } from "./tryCommands.ts"

interface Applied {
  readonly automation_id: number | null
  readonly applied: boolean
  readonly changes: ReadonlyArray<string>
  readonly warnings?: ReadonlyArray<string>
}

/** Warnings about the automation as it is stored now (developer-api.md 7.13), with their steps; absent if there are none. */
const warningsOf = Effect.fnUntraced(
  function* (id: number, userId: number | undefined) {
    const { warnings = [] } = yield* (yield* Automations).validate(yield* grantOf(id, userId))
    return warnings.map(
      ({ action_id, code, message }) => `${code}${action_id === null ? "" : ` ${action_id}`}: ${message}`
    )
  },
  Effect.catchTag("OwnerLost", ({ message }) => Effect.succeed([message])),
  Effect.map((lines): Pick<Applied, "warnings"> => (lines.length === 0 ? {} : { warnings: lines }))
)

/** Applies the text of an automation file. The answer lists what changed, or with `dryRun` what would change. */
export const apply = Effect.fnUntraced(function* (
  text: string,
  appId: number | undefined,
  userId: number | undefined,
  dryRun: boolean,
  ownerId?: number,
  orgId?: number
) {
  const read = yield* Effect.fromResult(readFile(text))
  if (read.body["portable"] === undefined) return yield* applyRead(read, appId, userId, dryRun, ownerId)
  const { keep, key, ...target } = yield* portableTarget(read.body, appId, orgId)
  const sql = yield* Sql
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const applyResult = yield* applyRead(target, target.appId, userId, dryRun, ownerId)
      if (target.id === undefined && applyResult.automation_id !== null) {
        yield* keep(applyResult.automation_id, key)
      }
      return applyResult
    })
  )
})

const applyRead = Effect.fnUntraced(function* (
  { body, id }: AutomationFile,
  appId: number | undefined,
  userId: number | undefined,
  dryRun: boolean,
  ownerId?: number
) {
  const access = yield* Access
  const automations = yield* Automations
  if (id === undefined) {
    const makerId = ownerId ?? userId
    if (appId === undefined || makerId === undefined) {
      return yield* new ValidationError({
        message: "A file without `id` makes a new automation: name --app and --owner."
      })
    }
    const decoded = yield* Effect.fromResult(decodeCreate(body, randomUUID))
    const grant = yield* access.check(yield* callerOf(makerId), "app", appId, 5)
    const changes = [`+ automation: ${JSON.stringify(decoded.name)}`]
    const planned: Applied = { automation_id: null, applied: false, changes }
    if (dryRun) return planned
    const { id: made } = yield* automations.create(grant, decoded)
    const created: Applied = { automation_id: made, applied: true, changes, ...(yield* warningsOf(made, makerId)) }
    return created
  }
  const previousAutomation = yield* findAutomation(id)
  const decoded = yield* Effect.fromResult(decodeOver(previousAutomation, body))
  const { body: changedBody, changes: differences } = fileChanges(previousAutomation, decoded)
  const handedOver = ownerId !== undefined && ownerId !== previousAutomation.owner_id
  const changes = [...differences, ...(handedOver ? [`~ owner: ${previousAutomation.owner_id} -> ${ownerId}`] : [])]
  const applied = !dryRun && changes.length > 0
  if (applied) {
    const grant = yield* access.check(
      yield* callerOf(ownerId ?? userId ?? previousAutomation.owner_id),
      "automation",
      id,
      5
    )
    // The file says what it does, not whose it is (decisions A20).
    const belongs = ownerId === undefined ? "kept" : { userId: ownerId, reach: everything }
    yield* automations.update(grant, changedBody, previousAutomation.version, belongs)
  }
  const warnings = applied ? yield* warningsOf(id, ownerId ?? userId) : {}
  const changed: Applied = { automation_id: id, applied, changes, ...warnings }
  return changed
})

const exported = (id: number, format: "yaml" | "json") =>
  Effect.map(findAutomation(id), (row) => writeFile(id, row, format))

const automation = Command.make("automation").pipe(
  Command.withDescription("Automation definitions: kept as files, compared, brought back, tried"),
  Command.withSubcommands([
    Command.make(
      "export",
      {
        id: Argument.Int("automation_id"),
        format: Flag.Literals("format", ["yaml", "json"]).pipe(Flag.withDefault("yaml")),
        portable: Flag.Boolean("portable").pipe(
          Flag.withDescription("Names and external ids instead of ids, for `apply` in another organization"),
          Flag.withDefault(false)
        )
      },
      ({ format, id, portable }) =>
        Effect.flatMap(portable ? exportPortable(id, format) : exported(id, format), (text) =>
          Effect.sync(() => process.stdout.write(text))
        )
    ).pipe(Command.withDescription("Print a definition, without what the service assigns")),
    Command.make(
      "apply",
      {
        file: Argument.String("file"),
        app: Flag.Int("app").pipe(Flag.withDescription("App of a new automation"), Flag.optional),
        org: Flag.Int("org").pipe(
          Flag.withDescription("Organization in which a portable file is applied; that of --app if left out"),
          Flag.optional
        ),
        user: Flag.Int("user").pipe(
          Flag.withDescription("User with whose rights the change is checked"),
          Flag.optional
        ),
        owner: Flag.Int("owner").pipe(
          Flag.withDescription("User whose rights the automation has from now on; without it the owner stays"),
          Flag.optional
        ),
        dryRun: Flag.Boolean("dry-run").pipe(Flag.withDescription("Show what would change"), Flag.withDefault(false)),
        json
      },
      ({ app, dryRun, file, json, org, owner, user }) =>
        Effect.gen(function* () {
          const text = yield* Effect.tryPromise({
            try: () => readText(file, "utf8"),
            catch: () => new InputInvalid({ message: `${file} cannot be read.` })
          })
          const [appId, userId, ownerId, orgId] = [app, user, owner, org].map(Option.getOrUndefined)
          yield* print(json, yield* apply(text, appId, userId, dryRun, ownerId, orgId))
        })
    ).pipe(Command.withDescription("Create or change an automation from a YAML or JSON file")),
    ...revisionCommands,
    ...tryCommands
  ])
)

export const automationCommands = [automation] as const
