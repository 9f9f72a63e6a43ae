// JSON Schema for MCP: an object at the root with its definitions inside, without the bounds that say nothing to a model.
import { Schema } from "effect"

export interface JsonSchema {
  readonly type: "object"
  readonly [member: string]: unknown
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Drops the limits of safe integers and `additionalProperties: true`, which is the default. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([key, one]) =>
      !(key === "minimum" && one === Number.MIN_SAFE_INTEGER) &&
      !(key === "maximum" && one === Number.MAX_SAFE_INTEGER) &&
      !(key === "additionalProperties" && one === true)
  )
  return Object.fromEntries(kept.map(([key, one]) => [key, tidy(one)]))
}

/** `closed`: stray members are errors (input). `open`: later releases may add members (output). */
export const objectSchema = (schema: Schema.Top, mode: "closed" | "open"): JsonSchema => {
  const document = Schema.toJsonSchemaDocument(schema)
  const definitions = tidy(document.definitions) as Json
  const root = tidy(document.schema) as Json
  const more = {
    ...(mode === "closed" ? { properties: {}, ...root, additionalProperties: false } : root),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
  return { ...more, type: "object" }
}
