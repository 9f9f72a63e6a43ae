// Operator commands for secrets of an organization, a workspace or an app (developer-api.md 7.13).
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SecretText } from "../../domain/secrets/Secret.ts"
import { SecretVault } from "../../domain/secrets/SecretVault.ts"
import { SecretName } from "../../domain/secrets/secretNames.ts"
import { allowArgument, allowFlag } from "./allowedWorkspaces.ts"
import { failWith, json, print } from "./output.ts"
import { textFrom } from "./secretFrom.ts"

const name = Argument.String("name")
const ownerFlags = {
  org: Flag.Int("org").pipe(Flag.optional),
  workspace: Flag.Int("workspace").pipe(Flag.optional),
  app: Flag.Int("app").pipe(Flag.optional)
}
type Place = { readonly [K in keyof typeof ownerFlags]: Option.Option<number> }

const ownerOf = Effect.fnUntraced(function* (given: Place) {
  const named = (["org", "workspace", "app"] as const).flatMap((kind) =>
    Option.isSome(given[kind]) ? [{ kind, id: given[kind].value }] : []
  )
  const [only] = named
  if (only === undefined || named.length > 1)
    return yield* failWith({ message: "Name one of --org, --workspace and --app." })
  return yield* SecretVault.use((vault) => vault.ownerAt(only.kind, only.id))
})

const find = Effect.fnUntraced(function* (given: Place, name: string) {
  const owner = yield* ownerOf(given)
  const allSecrets = yield* SecretVault.use((vault) => vault.list(owner))
  return { owner, known: allSecrets.find((secret) => secret.name === name) }
})

const checked = <A>(schema: Schema.Codec<A, string>, what: string, text: string) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(text), ({ message }) => ({ message: `${what}: ${message}` })).pipe(
    Effect.catch(failWith)
  )

const valueFrom = (file: Option.Option<string>) =>
  Effect.flatMap(textFrom(file), (text) => checked(SecretText, "value", text))

const set = Command.make(
  "set",
  {
    name,
    ...ownerFlags,
    file: Flag.String("file").pipe(Flag.withDescription("Where the value stands; else standard input"), Flag.optional),
    description: Flag.String("description").pipe(Flag.optional),
    allow: allowFlag,
    json
  },
  Effect.fnUntraced(function* ({ allow, name, file, description, json, ...given }) {
    yield* checked(SecretName, "name", name)
    const { known, owner } = yield* find(given, name)
    if (Option.isSome(allow) && Option.isNone(given.org))
      return yield* failWith({ message: "--allow goes with --org: others are used by the apps that they lie in." })
    const value = yield* valueFrom(file)
    const secretSettings = {
      ...(Option.isSome(description) ? { description: description.value } : {}),
      ...(Option.isSome(allow) ? { allowed: allow.value } : {})
    }
    const vault = yield* SecretVault
    yield* print(
      json,
      known === undefined
        ? yield* vault.create(owner, { name, value, ...secretSettings }, null)
        : yield* vault.update(known.secret_id, { value, ...secretSettings }, null)
    )
  })
).pipe(Command.withDescription("Write a secret, or replace its value, from standard input or --file"))

const list = Command.make(
  "list",
  { ...ownerFlags, json },
  Effect.fnUntraced(function* ({ json, ...given }) {
    const owner = yield* ownerOf(given)
    yield* print(json, [...(yield* SecretVault.use((vault) => vault.list(owner)))])
  })
).pipe(Command.withDescription("List names; values cannot be read back"))

const allow = Command.make(
  "allow",
  { name, workspaces: allowArgument, org: Flag.Int("org"), json },
  Effect.fnUntraced(function* ({ name, workspaces, org, json }) {
    const { known } = yield* find({ org: Option.some(org), workspace: Option.none(), app: Option.none() }, name)
    if (known === undefined) return yield* failWith({ message: `There is no secret ${JSON.stringify(name)} there.` })
    yield* print(json, yield* SecretVault.use((vault) => vault.update(known.secret_id, { allowed: workspaces }, null)))
  })
).pipe(Command.withDescription("Say which workspaces may use a secret of the organization"))

const remove = Command.make(
  "remove",
  { name, ...ownerFlags, json },
  Effect.fnUntraced(function* ({ name, json, ...given }) {
    const { known } = yield* find(given, name)
    if (known === undefined) return yield* failWith({ message: `There is no secret ${JSON.stringify(name)} there.` })
    yield* print(json, yield* SecretVault.use((vault) => vault.remove(known.secret_id, null)))
  })
).pipe(Command.withDescription("Remove a secret; steps that refer to it fail from now on"))

export const secretCommands = [
  Command.make("secret").pipe(
    Command.withDescription("Secrets that automations use by name"),
    Command.withSubcommands([set, allow, list, remove])
  )
] as const
