// JSON Schema for MCP: an object at the root with its definitions inside, without the bounds that say nothing to a model.
import { Schema } from "effect"

export interface ToolJsonSchema {
  readonly type: "object"
  readonly [member: string]: unknown
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Drops the limits of safe integers, `additionalProperties: true`, which is the default, and that an object is not null. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([key, one]) =>
      !(key === "minimum" && one === Number.MIN_SAFE_INTEGER) &&
      !(key === "maximum" && one === Number.MAX_SAFE_INTEGER) &&
      !(key === "additionalProperties" && one === true) &&
      !(key === "not" && isObject(one) && one["type"] === "null")
  )
  return Object.fromEntries(kept.map(([key, one]) => [key, tidy(one)]))
}

/** What the root stands for: clients read `properties` there, not behind a `$ref`. */
const rootOf = (schema: Json, definitions: Json): Json => {
  const name = /^#\/\$defs\/([^/]+)$/.exec(String(schema["$ref"]))?.[1]
  const target = name === undefined ? undefined : definitions[name]
  return isObject(target) ? rootOf(target, definitions) : schema
}

/** The definitions that are still named somewhere, by themselves or by others that are. */
const named = (root: Json, definitions: Json): Json => {
  const kept = new Set<string>()
  const visit = (value: unknown) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"\$ref":"#\/\$defs\/([^"/]+)"/g)) {
      if (name === undefined || kept.has(name)) continue
      kept.add(name)
      visit(definitions[name])
    }
  }
  visit(root)
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => kept.has(name)))
}

/** `closed`: stray members are errors (input). `open`: later releases may add members (output). */
export const objectSchema = (schema: Schema.Top, mode: "closed" | "open"): ToolJsonSchema => {
  const document = Schema.toJsonSchemaDocument(schema)
  const all = tidy(document.definitions) as Json
  const root = rootOf(tidy(document.schema) as Json, all)
  const definitions = named(root, all)
  const more = {
    ...(mode === "closed" ? { properties: {}, ...root, additionalProperties: false } : root),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
  return { ...more, type: "object" }
}
