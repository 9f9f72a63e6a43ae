// An app's fields as a program in TypeScript knows them (developer-api.md 3): what the client's `tableOf` takes.
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { AppDefinition } from "../../domain/records/model/AppDefinition.ts"
import { Definitions } from "../../domain/records/model/Definitions.ts"
import { failWith } from "./output.ts"

/** `Orders of 2026` becomes `OrdersOf2026`; a name that no program could have is `App` with the id. */
const identifier = ({ app_id, name }: Pick<AppDefinition, "app_id" | "name">): string => {
  const unaccentedName = name.normalize("NFKD").replaceAll(/\p{M}/gu, "")
  const words = unaccentedName.match(/[A-Za-z0-9]+/g) ?? []
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("")
  return /^[A-Z]/.test(joined) ? joined : `App${app_id}`
}

/** A comment may not be ended by what somebody called a field. */
const comment = (text: string) => `/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */`

/** Ids of an app that count its records say nothing that `app_record_id` does not. */
const UNTOLD = "unique_id"

export const programOf = (app: Pick<AppDefinition, "app_id" | "name" | "fields">): string => {
  const name = identifier(app)
  const fields = app.fields.filter(({ field_type }) => field_type !== UNTOLD)
  return `// The app ${JSON.stringify(app.name)}, written by: millrace types ${app.app_id}
import type { TableRecord, ValuesInput } from "@millrace/client"

export const ${name} = {
  app_id: ${app.app_id},
  fields: {
${fields.map(({ field_type, label, slug }) => `    ${comment(label)}\n    ${JSON.stringify(slug)}: ${JSON.stringify(field_type)}`).join(",\n")}
  }
} as const

export type ${name}Record = TableRecord<typeof ${name}>
export type ${name}Input = ValuesInput<typeof ${name}>
`
}

const types = Command.make("types", { app: Argument.Int("app_id") }, ({ app }) =>
  Effect.gen(function* () {
    const loadedApp = yield* Definitions.use((definitions) => definitions.load(app))
    if (Option.isNone(loadedApp)) return yield* failWith({ message: `There is no app ${app}.` })
    yield* Console.log(programOf(loadedApp.value).trimEnd())
  }).pipe(Effect.provide(Definitions.layer))
).pipe(
  Command.withDescription("Print an app's fields as a TypeScript program, for typed records with @millrace/client")
)

export const typesCommands = [types]
