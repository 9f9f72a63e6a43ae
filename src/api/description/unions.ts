// Unions as generators of clients tell their members apart (OpenAPI 3.1, "Discriminator Object"): where each member says in one and the
// same required member which one it is, the union is a `oneOf` with that discriminator, and every member a schema with a name.
import { COMPONENTS, nameOf, pascal } from "./names.ts"

type Json = Record<string, any>

const isObject = (node: unknown): node is Json => typeof node === "object" && node !== null && !Array.isArray(node)

/** The only value of a required member. */
const saidBy = (schema: Json, key: string): string | undefined => {
  const values: unknown = schema["required"]?.includes(key) ? schema["properties"]?.[key]?.enum : undefined
  return Array.isArray(values) && values.length === 1 && typeof values[0] === "string" ? values[0] : undefined
}

interface Told {
  readonly key: string
  readonly values: ReadonlyArray<string>
}

/** The member by which the schemas say which one each is. */
const discriminatorOf = (members: ReadonlyArray<Json>): Told | undefined => {
  for (const key of Object.keys(members[0]?.["properties"] ?? {})) {
    const values = members.flatMap((member) => saidBy(member, key) ?? [])
    if (values.length === members.length && new Set(values).size === values.length) return { key, values }
  }
  return undefined
}

/** @param schemas those of the document by name; what had none is added */
export const withDiscriminators = (schemas: Json) => {
  const resolved = (node: Json): Json =>
    typeof node["$ref"] === "string" ? resolved(schemas[nameOf(node["$ref"])] ?? {}) : node
  const named = (member: Json, name: string): Json => {
    if (member["$ref"] !== undefined) return member
    if (schemas[name] !== undefined) throw new Error(`two schemas are named ${name}`)
    // A title would be taken for the name.
    const { title: _, ...nameless } = member
    schemas[name] = inside(nameless)
    return { $ref: COMPONENTS + name }
  }
  const union = (node: Json, name: string | undefined): Json => {
    const { anyOf, ...rest } = node
    const members = anyOf as ReadonlyArray<Json>
    const discriminator = members.length < 2 ? undefined : discriminatorOf(members.map(resolved))
    const nameable = name !== undefined || members.every((member) => member["$ref"] !== undefined)
    if (discriminator === undefined || !nameable) return { ...rest, anyOf: members.map((member) => inside(member)) }
    const refs = members.map((member, at) => named(member, `${pascal(discriminator.values[at]!)}${name}`))
    const mapping = Object.fromEntries(refs.map(({ $ref }, at) => [discriminator.values[at], $ref]))
    return { ...rest, oneOf: refs, discriminator: { propertyName: discriminator.key, mapping } }
  }
  const inside = (node: unknown, name?: string): any => {
    if (Array.isArray(node)) return node.map((item) => inside(item))
    if (!isObject(node)) return node
    if (Array.isArray(node["anyOf"])) return union(node, name)
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inside(value)]))
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = inside(schema, name)
  return inside as (node: Json) => Json
}
