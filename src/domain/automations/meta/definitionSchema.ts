// Generates the JSON Schema 2020-12 of configs and of whole automations from the schemas that decode them (developer-api.md 3.4).
import { Schema } from "effect"
import { once } from "../../../platform/primitives/cachedContent.ts"
import { ActionInput } from "../actions/registry.ts"
import { CreateBody } from "../input/automationBodies.ts"
import { FieldReference, FieldTypeToken, Property } from "../schema/dynamicValues.ts"
import { FilterRow } from "../schema/Filter.ts"

export type JsonSchema = { readonly [key: string]: unknown }
type Definitions = Record<string, JsonSchema>

const dialect = "https://json-schema.org/draft/2020-12/schema"
const prefix = "#/$defs/"

interface Document {
  readonly schema: JsonSchema
  readonly definitions: Definitions
}

/** Parts that configs repeat most, inner ones first. Each is written once per schema and referenced by its name. */
const parts: ReadonlyArray<readonly [string, Schema.Constraint]> = [
  ["FieldType", FieldTypeToken],
  ["Property", Property],
  ["FieldReference", FieldReference]
]

/** Compiled parts, each with references to those before it. */
interface Named {
  /** Names of the parts, by the text of their schema. */
  readonly nameOf: Map<string, string>
  readonly parts: Definitions
  /** Two recursive schemas, by the names that `recursive` gave them. */
  readonly nested: Readonly<Record<"Action" | "FilterRow", Document>>
}

/** Returns the schema with a reference in place of every part that has a name. */
const shared = (value: unknown, nameOf: Named["nameOf"]): unknown => {
  if (Array.isArray(value)) return value.map((one) => shared(one, nameOf))
  if (typeof value !== "object" || value === null) return value
  const node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shared(inner, nameOf)]))
  if (["enum", "properties", "anyOf"].every((key) => node[key] === undefined)) return node
  const name = nameOf.get(JSON.stringify(node))
  return name === undefined ? node : { $ref: prefix + name }
}

/** Merges the names of a definition: the compiler creates one per annotation (`Reference_1`) and per side (`ActionEncoded`). */
const tidy = (schema: Schema.Constraint, nameOf: Named["nameOf"]): Document => {
  const compiled = Schema.toJsonSchemaDocument(schema as Schema.Top, { onExcessProperty: "error" })
  const definitions = compiled.definitions as Definitions
  const baseName = (name: string): string => name.replace(/_\d+$/, "").replace(/Encoded$/, "")
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== "object" || value === null) return value
    const node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rewrite(inner)]))
    const name = typeof node["$ref"] === "string" ? node["$ref"].slice(prefix.length) : undefined
    if (name === undefined) return node
    const fallback = definitions[name]?.["default"]
    return { ...node, $ref: prefix + baseName(name), ...(fallback === undefined ? {} : { default: fallback }) }
  }
  const tidied: Definitions = {}
  for (const [name, definition] of Object.entries(definitions)) {
    const { default: _, ...rest } = definition
    tidied[baseName(name)] = shared(rewrite(rest), nameOf) as JsonSchema
  }
  return { schema: shared(rewrite(compiled.schema), nameOf) as JsonSchema, definitions: tidied }
}

/** Compiled on first use: a built service already has the texts (catalogueTexts.ts). */
const named = once((): Named => {
  const nameOf = new Map<string, string>()
  const definitions: Definitions = {}
  for (const [name, part] of parts) {
    const { schema } = tidy(part, nameOf)
    definitions[name] = schema
    nameOf.set(JSON.stringify(schema), name)
  }
  const nested = { Action: tidy(ActionInput, nameOf), FilterRow: tidy(FilterRow, nameOf) }
  nameOf.set(JSON.stringify(nested.Action.schema), "Action")
  return { nameOf, parts: definitions, nested }
})

const referenced = (value: unknown, into: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value) referenced(item, into)
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === "$ref" && typeof inner === "string") into.add(inner.slice(prefix.length))
      else referenced(inner, into)
    }
  }
}

/** Returns a self-contained schema: everything that it references is in its `$defs`. */
export const jsonSchemaOf = (schema: Schema.Constraint): JsonSchema => {
  const { nameOf, nested, parts: compiled } = named()
  const document = tidy(schema, nameOf)
  const allDefinitions: Definitions = {
    ...compiled,
    ...nested.Action.definitions,
    ...nested.FilterRow.definitions,
    ...document.definitions,
    Action: nested.Action.schema,
    FilterRow: nested.FilterRow.schema
  }
  const $defs: Definitions = {}
  const visit = (value: unknown): void => {
    const names = new Set<string>()
    referenced(value, names)
    for (const name of names) {
      if ($defs[name] !== undefined) continue
      $defs[name] = allDefinitions[name]!
      visit(allDefinitions[name])
    }
  }
  visit(document.schema)
  return { $schema: dialect, ...document.schema, ...(Object.keys($defs).length === 0 ? {} : { $defs }) }
}

/** Schema with which editors check definition files. */
export const automationSchema = (): JsonSchema => ({
  ...jsonSchemaOf(CreateBody),
  title: "Automation",
  description: "An automation as POST /v1/automation/app/{app_id} accepts it"
})
