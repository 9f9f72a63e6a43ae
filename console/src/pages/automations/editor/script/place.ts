// Builds one text of all declarations that a script can use: those that the service gives, the fields of this app's records by name, the
// variables of steps before (docs/scripts.md, developer-api.md 7.4, 8.2).

import type { Definition } from "../model/definition.ts"
import type { KnownApp, KnownField, ReferenceGroup } from "../model/references.ts"
import { placeOf, stepOf } from "../model/steps.ts"

export interface ScriptName {
  readonly name: string
  readonly where: string
  readonly type: string
  readonly description: string
}

/** Names that a script can use at its position, besides those of all scripts. */
export interface ScriptPlace {
  /** The names of custom_code, such as `http`. */
  readonly custom: boolean
  readonly isInLoop: boolean
  /** Iterable of the innermost loop around it. */
  readonly iterable: unknown
}

export const placeOfScript = ({ actions }: Definition, chosen: string): ScriptPlace => {
  const step = stepOf(actions, chosen)
  let loop = step
  while (loop !== undefined && loop.type !== "for_loop") {
    const parent = placeOf(actions, loop.id)?.parent
    loop = parent == null ? undefined : stepOf(actions, parent)
  }
  return { custom: step?.type === "custom_code", isInLoop: loop !== undefined, iterable: loop?.config["iterable"] }
}

const file = "{ id: number; filename: string; size: number; mimetype: string; download_url: string }[]"
const entry =
  "{ id: number; title: string; description: string | null; due_at: string | null; completed: boolean; completed_at: string | null; assignee: number | null }[]"

/** The form that values have in scripts, by type of field; all of them may be null. */
const formOf = (field_type: string): string => {
  if (/_attachment$|_image$/.test(field_type)) return file
  switch (field_type) {
    case "number":
    case "single_user":
    case "single_relation":
      return "number"
    case "multi_user":
    case "multi_relation":
      return "number[]"
    case "multi_category":
      return "string[]"
    case "checklist":
      return entry
    case "single_text":
    case "multi_text":
    case "single_category":
    case "status":
    case "single_date":
    case "range_date":
    case "multi_email":
    case "multi_phone":
    case "multi_link":
      return "string"
    default:
      return "any"
  }
}

const commented = (words: string) => `/** ${words.replaceAll("*/", "* /")} */`

const fieldsOf = (fields: ReadonlyArray<KnownField>) =>
  fields.flatMap(({ external_id, field_type, label }) =>
    external_id === undefined
      ? []
      : [`${commented(label)} readonly ${JSON.stringify(external_id)}: ${formOf(field_type)} | null`]
  )

const declaredRecord = (name: "App" | "Loop", app: KnownApp) =>
  `interface ${name}Record extends ScriptRecord {
    ${commented(`Of ${app.name}, by external id; empty ones null.`)}
    readonly fields: ${name}Fields
  }
  interface ${name}Fields {\n${fieldsOf(app.fields).join("\n")}\n}`

/** `var_` and the label, as scripts see a variable (developer-api.md 7.7 rule 1). */
const variableName = (label: string) => `var_${label.toLowerCase().replace(/[^a-z0-9_$]/g, "_")}`

const variablesIn = (groups: ReadonlyArray<ReferenceGroup>): ReadonlyArray<ScriptName> =>
  groups.flatMap(({ choices, group }) =>
    choices.flatMap(({ label, reference }) => {
      if (reference["source"] !== "custom") return []
      const kind = reference["custom_type"]
      const variable = { name: variableName(label), where: "all", description: `${label}, of: ${group}` }
      if (kind !== "single_file" && kind !== "multi_file")
        return [{ ...variable, type: kind === "single_link" ? "string | null" : "any" }]
      const each = ["id", "filename", "size", "mimetype", "download_url"].map((key) => ({
        ...variable,
        name: `${variable.name}_${key}`,
        type: kind === "multi_file" ? "any[]" : key === "id" || key === "size" ? "number | null" : "string | null"
      }))
      return [{ ...variable, type: `${file} | null` }, ...each]
    })
  )

interface Found {
  readonly names: ReadonlyArray<ScriptName>
  readonly source: string
}
interface Given {
  readonly names: ReadonlyArray<ScriptName>
  readonly types: ReadonlyArray<string>
  readonly place: ScriptPlace
  readonly app: KnownApp
  readonly apps: ReadonlyMap<number, KnownApp>
  readonly groups: ReadonlyArray<ReferenceGroup>
}
export const foundAt = ({ app, apps, groups, names, place, types }: Given): Found => {
  const iterable = place.iterable as { readonly app_id?: unknown } | null | undefined
  const each = apps.get(Number(iterable?.app_id))
  const typed: Readonly<Record<string, string>> = {
    current_record: "AppRecord | null",
    previous_record: "AppRecord | null",
    ...(each === undefined ? {} : { loop_item: "LoopRecord" })
  }
  const visibleNames = names.filter(
    ({ where }) => where === "all" || (where === "loop" ? place.isInLoop : place.custom)
  )
  return {
    names: [...visibleNames.map((one) => ({ ...one, type: typed[one.name] ?? one.type })), ...variablesIn(groups)],
    source: [...types, declaredRecord("App", app), ...(each === undefined ? [] : [declaredRecord("Loop", each)])].join(
      "\n"
    )
  }
}
