// JSON Schema for MCP: an object at the root. What a tool takes is written as every client reads it: no `$ref`, no `allOf`, no `anyOf`, values
// of `enum` are texts, each property has a type and says what it is. What a tool answers is written in outline: it is read, not filled in.
import { Schema } from "effect"

export interface ToolJsonSchema {
  readonly type: "object"
  readonly [member: string]: unknown
}

export type SchemaNode = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is SchemaNode =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const REFERENCE = /^#\/\$defs\/([^/]+)$/

/** Replaces references with the schemas they name. A schema within itself becomes one that allows anything. */
const writtenOut = (node: unknown, definitions: SchemaNode, within: ReadonlyArray<string> = []): unknown => {
  if (Array.isArray(node)) return node.map((one) => writtenOut(one, definitions, within))
  if (!isObject(node)) return node
  const name = REFERENCE.exec(String(node["$ref"]))?.[1]
  if (name === undefined)
    return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, writtenOut(one, definitions, within)]))
  const { $ref: _, ...beside } = node
  const target = within.includes(name) ? {} : writtenOut(definitions[name] ?? {}, definitions, [...within, name])
  return { ...(target as SchemaNode), ...beside }
}

/** `allOf` holds descriptions and further bounds of the schema that it stands in: they are its own. */
const merged = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(merged)
  if (!isObject(node)) return node
  const { allOf, ...rest } = node
  const ownMembers = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, merged(one)]))
  return Array.isArray(allOf)
    ? Object.assign({}, ownMembers, ...(merged(allOf) as ReadonlyArray<SchemaNode>))
    : ownMembers
}

/** All that the schema says, in one piece. */
export const exactSchema = (schema: Schema.Top): SchemaNode => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  return merged(writtenOut(root, definitions as SchemaNode)) as SchemaNode
}

const ANY = { type: ["object", "array", "string", "number", "boolean", "null"], items: {} }

/** Bounds that tell a model nothing, or that a client's subset of JSON Schema lacks. The call is held against them all the same. */
const unsaid = new Set(["maxLength", "maxItems", "maxProperties", "pattern", "exclusiveMinimum", "not"])

const typesOf = ({ type }: SchemaNode): ReadonlyArray<string> =>
  Array.isArray(type) ? (type as ReadonlyArray<string>) : typeof type === "string" ? [type] : []

/** Value of `type`: the only type, or the list of them. */
const asType = (types: ReadonlyArray<string>) => (types.length === 1 ? types[0]! : types)

/** A union as one schema: of the only one that is not null, else of all their types. */
const flat = (members: ReadonlyArray<SchemaNode>, rest: SchemaNode): SchemaNode => {
  const types = [...new Set(members.flatMap(typesOf))]
  const [only, ...others] = members.filter((one) => one["type"] !== "null")
  if (only !== undefined && others.length === 0) return { ...only, type: asType(types), ...rest }
  return { type: asType(types), ...(types.includes("array") ? { items: {} } : {}), ...rest }
}

/** Simplifies a schema to what a model is shown. */
const simplifySchema = (node: unknown): SchemaNode => {
  if (!isObject(node) || Object.keys(node).length === 0) return ANY
  const { anyOf, ...given } = node
  const keptMembers: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(given)) {
    if (unsaid.has(key) || (key === "minLength" && one === 1)) continue
    if (key === "minimum" && one === Number.MIN_SAFE_INTEGER) continue
    if (key === "maximum" && one === Number.MAX_SAFE_INTEGER) continue
    if (key === "enum" && !(one as ReadonlyArray<unknown>).every((value) => typeof value === "string")) continue
    if (key === "properties")
      keptMembers[key] = Object.fromEntries(
        Object.entries(one as SchemaNode).map(([name, inner]) => [name, simplifySchema(inner)])
      )
    else if (key === "items")
      keptMembers[key] = isObject(one) && Object.keys(one).length === 0 ? {} : simplifySchema(one)
    else if (key === "additionalProperties") {
      if (one === false) keptMembers[key] = false
    } else keptMembers[key] = one
  }
  if (Array.isArray(anyOf)) return flat(anyOf.map(simplifySchema), keptMembers)
  return keptMembers["type"] === undefined ? { ...ANY, ...keptMembers } : keptMembers
}

/** Input schema of a tool. @param instead schemas that replace those of single arguments, where theirs say more than a model needs */
export const inputSchema = (exact: SchemaNode, instead: Readonly<Record<string, SchemaNode>> = {}): ToolJsonSchema => {
  const { properties = {}, ...rest } = simplifySchema(exact) as { readonly properties?: SchemaNode }
  const shownProperties = Object.entries(properties).map(([name, one]) => {
    const other = instead[name]
    return [name, other === undefined ? one : "type" in other ? other : { ...(one as SchemaNode), ...other }]
  })
  return { ...rest, properties: Object.fromEntries(shownProperties), additionalProperties: false, type: "object" }
}

/** More members than a page or an envelope has: those of a thing itself, which its reader sees. */
const outlined = 5

/** Output schema of a tool, in outline: an envelope's members with their types. Later releases may add members. */
export const outputSchema = (schema: Schema.Top): ToolJsonSchema => {
  const { properties = {} } = simplifySchema(exactSchema(schema)) as { readonly properties?: SchemaNode }
  if (Object.keys(properties).length > outlined) return { type: "object" }
  const shownProperties = Object.entries(properties).map(([name, one]) => {
    const { type } = one as SchemaNode
    return [name, typesOf(one as SchemaNode).length === ANY.type.length ? {} : { type }]
  })
  return { type: "object", properties: Object.fromEntries(shownProperties) }
}
