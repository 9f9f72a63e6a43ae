// Members of a config as rows: name, type, default and meaning, read from the JSON Schema that the catalogue publishes
// (GET /v1/automation/meta/*). Meanings that the schema lacks come from words of the page.
import { code, listed, table } from "./markdown.ts"

export interface JsonSchema {
  readonly type?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly enum?: ReadonlyArray<unknown>
  readonly description?: string
  readonly default?: unknown
  readonly readOnly?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly maxLength?: number
}

/** Names of value types that pages explain once; members of others are listed where they occur. */
export type ValueTypes = ReadonlyMap<string, { readonly shown: string; readonly isEmptyByDefault?: true }>

export interface MemberWords {
  /** Meaning by the member's path, or by its type's name and path: `send_email.to_address`. */
  readonly meanings: Readonly<Record<string, string>>
  /** Receives each key of `meanings` that a row has used. */
  readonly used: Set<string>
  readonly valueTypes: ValueTypes
  /** Members without which a definition is stored, but not activated. */
  readonly needed: ReadonlySet<string>
  /** Says how long texts may be and what a type's description says, for types that stand outside of a table. */
  readonly isDetailed?: true
}

const nameOf = ({ $ref }: JsonSchema) => $ref?.slice("#/$defs/".length)
const isNull = ({ type }: JsonSchema) => type === "null"

const bounds = ({ maximum = Infinity, minimum = -Infinity, type }: JsonSchema): string => {
  if (type !== "integer" && type !== "number") return ""
  const isBounded = Math.abs(maximum) < Number.MAX_SAFE_INTEGER
  return isBounded && Number.isFinite(minimum) ? `, ${minimum} to ${maximum}` : ""
}

const NUMBER_OF_MANY = 1_000
const atMost = (count: number | undefined) =>
  count === undefined || count >= NUMBER_OF_MANY ? "" : `, ${count} at most`

/** Forms of one entry, of a union that takes such entries or a list of them. */
const formsOfOne = (forms: ReadonlyArray<JsonSchema>): ReadonlyArray<JsonSchema> | undefined => {
  const single = forms.slice(0, -1)
  return JSON.stringify(forms.at(-1)?.items?.anyOf) === JSON.stringify(single) ? single : undefined
}

/** `{ title, description? }`: members of an object whose members have no rows of their own. */
const objectText = ({ properties = {}, required = [] }: JsonSchema) =>
  code(
    `{ ${Object.keys(properties)
      .map((key) => (required.includes(key) ? key : `${key}?`))
      .join(", ")} }`
  )

const lengthText = ({ maxLength }: JsonSchema) =>
  maxLength === undefined ? "string" : `string of at most ${maxLength} characters`

const plural = (type: string) => type.replace(/^(integer|number|string|boolean)\b/, "$1s")

export const makeRows = (root: JsonSchema, type: string, words: MemberWords) => {
  const definition = (name: string): JsonSchema => root.$defs?.[name] ?? {}
  const resolved = (schema: JsonSchema): JsonSchema => {
    const name = nameOf(schema)
    return name === undefined || words.valueTypes.has(name) ? schema : { ...definition(name), ...schema }
  }

  const typeText = (schema: JsonSchema): string => {
    const name = nameOf(schema)
    const knownType = name === undefined ? undefined : words.valueTypes.get(name)
    if (knownType !== undefined) return knownType.shown
    if (name !== undefined) return typeText(definition(name))
    if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(", ")
    if (schema.anyOf !== undefined) {
      const single = formsOfOne(schema.anyOf)
      if (single !== undefined) return `${typeText({ anyOf: single })}; one or a list of them`
      const [last = "", ...others] = schema.anyOf.map(typeText).toReversed()
      return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`
    }
    if (schema.type === "array")
      return `list of ${schema.items === undefined ? "values" : plural(typeText(schema.items))}${atMost(schema.maxItems)}`
    if (schema.properties !== undefined) return objectText(schema)
    if (words.isDetailed === true && (schema.type === "string" || schema.description !== undefined))
      return schema.description === undefined ? lengthText(schema) : `${schema.type} (${schema.description})`
    return (isNull(schema) ? "`null`" : (schema.type ?? "any value")) + bounds(schema)
  }

  const defaultText = (schema: JsonSchema, path: string, isRequired: boolean): string => {
    if (isRequired) return "needed"
    if (words.needed.has(path)) return "needed to activate"
    if (schema.readOnly === true) return "read-only"
    if (schema.default !== undefined) return schema.default === "" ? "empty" : code(JSON.stringify(schema.default))
    return words.valueTypes.get(nameOf(schema) ?? "")?.isEmptyByDefault === true ? "empty" : "optional"
  }

  const meaningOf = (schema: JsonSchema, path: string): string => {
    const described = resolved(schema).description
    const key = [`${type}.${path}`, path].find((candidate) => Object.hasOwn(words.meanings, candidate))
    if (key !== undefined) words.used.add(key)
    if (described !== undefined && key !== undefined) throw new Error(`${key}: the catalogue says it already`)
    const meaning = described ?? (key === undefined ? undefined : words.meanings[key])
    if (meaning === undefined) throw new Error(`${type}.${path}: neither the catalogue nor the page says what it is`)
    return meaning
  }

  const rowsOf = (schema: JsonSchema, prefix: string): ReadonlyArray<ReadonlyArray<string>> =>
    Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
      const path = `${prefix}${key}`
      const isRequired = schema.required?.includes(key) === true
      const resolvedMember = resolved(member)
      const entries =
        resolvedMember.type === "array" && resolvedMember.items !== undefined
          ? resolved(resolvedMember.items)
          : resolvedMember
      const inside =
        entries.properties === undefined ? [] : rowsOf(entries, `${path}${resolvedMember === entries ? "." : "[]."}`)
      const shownType =
        inside.length === 0
          ? typeText(member)
          : resolvedMember === entries
            ? "object"
            : `list of objects${atMost(resolvedMember.maxItems)}`
      return [
        [
          code(path),
          shownType,
          defaultText({ ...resolvedMember, ...member }, path, isRequired),
          meaningOf(member, path)
        ],
        ...inside
      ]
    })

  const membersOf = (schema: JsonSchema) => {
    const rows = rowsOf(resolved(schema), "")
    return rows.length === 0 ? "" : table(["Member", "Type", "Default", "Meaning"], rows)
  }
  return { membersOf, typeText }
}

/** Names that `meanings` explains although no member has them. */
export const unusedWords = ({ meanings, used }: MemberWords): string =>
  listed(Object.keys(meanings).filter((key) => !used.has(key)))
