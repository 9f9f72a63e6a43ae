// Adds links from an operation that answers with a new id (OpenAPI 3.1, "Link Object") to the operations that read, change and delete the
// thing by that id. It finds them by the names of ids, which are the same in answers and in paths.
import { nameOf, pascal } from "./names.ts"

type Json = Record<string, any>

const METHODS = ["get", "put", "delete"] as const
const VERBS = { get: "Get", put: "Update", delete: "Delete" } as const

/** Paths of things that are not called like their id. */
const elsewhere: Readonly<Record<string, string>> = {
  user: "/v1/org/user/{user_id}",
  replay: "/v1/hook/replay/{replay_id}"
}
const things = ["workspace", "app", "view", "record", "comment", "reply", "hook", "replay", "secret", "user"]
const pathOf = (thing: string) => elsewhere[thing] ?? `/v1/${thing}/{${thing}_id}`

/** JSON pointer to the id in the answer. */
const pointerTo = (spec: Json, schema: Json | undefined, name: string): string | undefined => {
  if (schema === undefined) return undefined
  if (typeof schema["$ref"] === "string")
    return pointerTo(spec, spec["components"].schemas[nameOf(schema["$ref"])], name)
  const members: ReadonlyArray<Json> | undefined = schema["anyOf"] ?? schema["oneOf"]
  if (members !== undefined) {
    const pointers = new Set(members.map((member) => pointerTo(spec, member, name)))
    return pointers.size === 1 ? [...pointers][0] : undefined
  }
  return schema["required"]?.includes(name) ? `/${name}` : undefined
}

/** Answers that hold the thing as their only member. */
const inside = (spec: Json, schema: Json, thing: string): string | undefined => {
  const resolvedSchema = schema["$ref"] === undefined ? schema : spec["components"].schemas[nameOf(schema["$ref"])]
  const onlyMember: Json | undefined = resolvedSchema["properties"]?.[thing]
  if (onlyMember === undefined || Object.keys(resolvedSchema["properties"]).length > 1) return undefined
  const id = pointerTo(spec, onlyMember, `${thing}_id`) ?? pointerTo(spec, onlyMember, "id")
  return id === undefined ? undefined : `/${thing}${id}`
}

const linksTo = (spec: Json, thing: string, pointer: string): Json =>
  Object.fromEntries(
    METHODS.flatMap((method) => {
      const target = spec["paths"][pathOf(thing)]?.[method]
      const parameters = { [`${thing}_id`]: `$response.body#${pointer}` }
      return target === undefined
        ? []
        : [[`${VERBS[method]}${pascal(thing)}`, { operationId: target.operationId, parameters }]]
    })
  )

/** The operation's answers, with links from what they hold; of ids that the caller has given there are none. */
export const withLinks = (spec: Json, path: string, operation: Json): Json => {
  const answers = Object.entries<Json>(operation["responses"]).map(([status, answer]) => {
    const schema = answer["content"]?.["application/json"]?.schema
    if (!status.startsWith("2") || schema === undefined) return [status, answer]
    const links = [...things, "automation"].flatMap((thing) => {
      if (path.includes(`{${thing}_id}`)) return []
      const pointer = pointerTo(spec, schema, `${thing}_id`) ?? inside(spec, schema, thing)
      return pointer === undefined ? [] : Object.entries(linksTo(spec, thing, pointer))
    })
    return [status, links.length === 0 ? answer : { ...answer, links: Object.fromEntries(links) }]
  })
  return { ...operation, responses: Object.fromEntries(answers) }
}
