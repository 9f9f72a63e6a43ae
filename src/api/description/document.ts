// The document as a whole, once the operations are in it: the schemas that endpoints leave open, one name for one schema, unions told
// apart, answers that may gain members.
import { describedShapes } from "./components.ts"
import { describedTypes } from "./describedTypes.ts"
import { COMPONENTS, nameOf } from "./names.ts"
import { withDiscriminators } from "./unions.ts"

type Json = Record<string, any>

const isObject = (node: unknown): node is Json => typeof node === "object" && node !== null && !Array.isArray(node)

/** Names of the schemas that a part of the document refers to, and of those that these refer to. */
const reached = (node: unknown, schemas: Json, into = new Set<string>()): ReadonlySet<string> => {
  if (Array.isArray(node)) for (const item of node) reached(item, schemas, into)
  else if (isObject(node))
    for (const [key, value] of Object.entries(node)) {
      if (key !== "$ref" || typeof value !== "string" || !value.startsWith(COMPONENTS)) reached(value, schemas, into)
      else if (!into.has(nameOf(value))) {
        into.add(nameOf(value))
        reached(schemas[nameOf(value)], schemas, into)
      }
    }
  return into
}

/** The compiler numbers what stands in several places under one name, and names the side of it that is sent. */
const simplifyName = (name: string) => name.replace(/_\d+$/, "").replace(/Encoded$/, "")
const plainRefs = (node: unknown): any => {
  if (Array.isArray(node)) return node.map(plainRefs)
  if (!isObject(node)) return node
  const entries = Object.entries(node).map(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [key, simplifyName(value)] : [key, plainRefs(value)]
  )
  return Object.fromEntries(entries)
}

/** Opens schemas that occur only in answers: they may gain members without breaking a client. */
const openSchemas = (node: unknown): any => {
  if (Array.isArray(node)) return node.map(openSchemas)
  if (!isObject(node)) return node
  const entries = Object.entries(node).map(([key, value]) => [key, openSchemas(value)])
  return Object.fromEntries(entries.filter(([key, value]) => key !== "additionalProperties" || value !== false))
}

const operationsOf = (spec: Json): ReadonlyArray<Json> =>
  Object.values<Json>(spec["paths"]).flatMap((item) => Object.values<Json>(item))

/** @param spec with all paths and components */
export const describeDocument = (spec: Json): Json => {
  const { components, ...rest } = plainRefs(describedTypes(spec)) as Json
  const specSchemas: Json = Object.fromEntries(
    Object.entries(components["schemas"]).map(([name, schema]) => [simplifyName(name), schema])
  )
  const schemas: Json = { ...specSchemas, ...(plainRefs(describedTypes(describedShapes())) as Json) }
  const { components: unionComponents, ...document } = withDiscriminators(schemas)({
    ...rest,
    components: { ...components, schemas: {} }
  })
  const requestSchemas = reached(
    operationsOf(document).map(({ parameters, requestBody }) => [parameters, requestBody]),
    schemas
  )
  const used = reached([document, unionComponents], schemas)
  for (const [name, schema] of Object.entries(schemas)) {
    if (!used.has(name)) delete schemas[name]
    else if (!requestSchemas.has(name)) schemas[name] = openSchemas(schema)
  }
  for (const operation of operationsOf(document)) operation["responses"] = openSchemas(operation["responses"])
  return { ...document, components: { ...unionComponents, schemas } }
}
