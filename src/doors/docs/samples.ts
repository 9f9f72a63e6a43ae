// A value of a schema, for examples where the description has none, and a request as it is typed into a terminal.
import type { Described, Operation } from "./describedApi.ts"

const DEEPEST = 4

const byName: Readonly<Record<string, unknown>> = {
  app_id: 3,
  record_id: 907,
  hook_id: 12,
  automation_id: 21,
  workspace_id: 2,
  user_id: 5
}

/** The smallest that is allowed: members that may be left out are. */
export const sample = (
  schemas: Readonly<Record<string, Described>>,
  schema: Described,
  name = "",
  depth = 0
): unknown => {
  if (typeof schema["$ref"] === "string")
    return depth > DEEPEST ? {} : sample(schemas, schemas[schema["$ref"].split("/").at(-1)!] ?? {}, name, depth + 1)
  const [example] = schema["examples"] ?? []
  if (example !== undefined) return example
  const [first] = schema["oneOf"] ?? schema["anyOf"] ?? []
  if (first !== undefined) return sample(schemas, first, name, depth + 1)
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  switch (schema["type"]) {
    case "object": {
      const required = new Set<string>(schema["required"] ?? [])
      const all = Object.entries<Described>(schema["properties"] ?? {})
      const told = all.filter(([key]) => required.has(key))
      return Object.fromEntries(told.map(([key, one]) => [key, sample(schemas, one, key, depth + 1)]))
    }
    case "array":
      return depth > DEEPEST ? [] : [sample(schemas, schema["items"] ?? {}, name, depth + 1)]
    case "integer":
    case "number":
      return byName[name] ?? 1
    case "boolean":
      return true
    case "string":
      return name === "url" ? "https://example.com/hook" : name === "email" ? "mira@example.net" : "text"
    default:
      return null
  }
}

/** With ids in their places. */
export const pathOf = ({ parameters, path }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const type: unknown = parameters.find((one) => one.name === name)?.schema["type"]
    return String(byName[name] ?? (type === "integer" ? 1 : name))
  })

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** `$BASE` and `$TOKEN` are the reader's. */
export const curlOf = (operation: Operation, body: unknown): string => {
  const lines = [`curl "$BASE${pathOf(operation)}"`]
  if (operation.method !== "GET" && !(operation.method === "POST" && operation.body !== undefined))
    lines.push(`-X ${operation.method}`)
  if (!operation.open) lines.push(`-H "Authorization: Bearer $TOKEN"`)
  if (operation.body?.type === "application/json") {
    lines.push(`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(body))}`)
  } else if (operation.body !== undefined) lines.push("-F file=@picture.png")
  return lines.join(" \\\n  ")
}
