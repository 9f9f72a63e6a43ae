// The document as generators of clients get along with it: each writes code for what it finds, and some of what JSON Schema allows makes code
// that does not compile. A default stands beside a type of its own, never beside a reference or a union, where languages have no literal for it;
// a literal `true` is a boolean; lists within a union and bodies of hooks have names.
import { COMPONENTS, nameOf, pascal } from "./names.ts"

type Json = Record<string, any>

const isObject = (node: unknown): node is Json => typeof node === "object" && node !== null && !Array.isArray(node)

const extendDescription = (description: string | undefined, more: string) =>
  description === undefined || description === "" ? more : `${description.replace(/\.$/, "")}. ${more}`

/** A literal that every language has for values of the type. */
const hasLiteral = ({ type }: Json, value: unknown): boolean =>
  Array.isArray(value) ? type === "array" && value.length === 0 : typeof value !== "object" && typeof type === "string"

/** The default in words, where it is no literal. */
const ofDefault = (node: Json): Json => {
  if (!("default" in node) || hasLiteral(node, node["default"])) return node
  const { default: value, description, ...rest } = node
  return { ...rest, description: extendDescription(description, `\`${JSON.stringify(value)}\` unless given`) }
}

const ofLiteral = (node: Json): Json => {
  const { description, enum: values, ...rest } = node
  if (!Array.isArray(values) || values.length !== 1 || typeof values[0] !== "boolean") return node
  return { ...rest, type: "boolean", description: extendDescription(description, `Always \`${values[0]}\``) }
}

/** Instances, which are no schemas. */
const verbatim = new Set(["example", "examples", "default", "enum", "const"])

/** A list by what it holds: languages without names for lists see two of the same as one. */
const listOf = (schema: Json | undefined): string | undefined =>
  schema?.["type"] === "array" ? JSON.stringify(schema["items"]) : undefined

export const portable = (spec: Json): Json => {
  const { components, ...rest } = spec
  const schemas: Json = {}
  /** Names of lists that stand in no union any more. */
  const doubles = new Set<string>()

  /** Keeps the first of several equal lists. */
  const distinct = (members: ReadonlyArray<Json>): ReadonlyArray<Json> => {
    const seenLists = new Set<string>()
    return members.filter(({ $ref }) => {
      const list = $ref === undefined ? undefined : listOf(components["schemas"][nameOf($ref)])
      if (list === undefined || !seenLists.has(list)) {
        if (list !== undefined) seenLists.add(list)
        return true
      }
      doubles.add(nameOf($ref))
      return false
    })
  }

  const named = (list: Json, name: string): Json => {
    if (schemas[name] !== undefined && JSON.stringify(schemas[name]) !== JSON.stringify(list))
      return named(list, `${name}2`)
    schemas[name] = list
    return { $ref: COMPONENTS + name }
  }

  /** @param name of what the node stands in, as its parts are called by it */
  const inside = (node: unknown, name: string): any => {
    if (Array.isArray(node)) return node.map((one) => inside(one, name))
    if (!isObject(node)) return node
    const entries = Object.entries(node).map(([key, value]) => {
      if (verbatim.has(key)) return [key, value]
      if (key === "properties" && isObject(value)) {
        const members = Object.entries(value).map(([member, one]) => [member, inside(one, name + pascal(member))])
        return [key, Object.fromEntries(members)]
      }
      if (key === "anyOf" && Array.isArray(value))
        return [
          key,
          distinct(value).map((one) =>
            one["type"] === "array" ? named(inside(one, name), `${name}List`) : inside(one, name)
          )
        ]
      return [key, inside(value, name)]
    })
    return ofLiteral(ofDefault(Object.fromEntries(entries)))
  }

  const operations = (items: Json) =>
    Object.fromEntries(
      Object.entries<Json>(items).map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries<Json>(item).map(([method, operation]) => [
            method,
            inside(operation, pascal(String(operation["operationId"] ?? method)))
          ])
        )
      ])
    )

  /** Bodies that hooks receive, each with a name of its own: generators name its type after it. */
  const bodiesNamed = (items: Json) =>
    Object.fromEntries(
      Object.entries<Json>(items).map(([type, { post }]) => {
        const json = post.requestBody.content["application/json"]
        const content = { "application/json": { ...json, schema: named(json.schema, `${pascal(type)}Webhook`) } }
        return [type, { post: { ...post, requestBody: { ...post.requestBody, content } } }]
      })
    )

  for (const [name, schema] of Object.entries<Json>(components["schemas"])) schemas[name] = inside(schema, name)
  const paths = operations(rest["paths"])
  const webhooks = bodiesNamed(operations(rest["webhooks"] ?? {}))
  const text = JSON.stringify([schemas, paths, webhooks])
  for (const name of doubles) if (!text.includes(`"${COMPONENTS}${name}"`)) delete schemas[name]
  return { ...rest, paths, webhooks, components: { ...components, schemas } }
}
