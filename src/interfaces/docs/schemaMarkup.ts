// Schemas as people read them: a type in words, and a row for each member. A named schema is a link to its own page.
import { nameOf } from "../../api/description/names.ts"
import type { Described } from "../../api/description/operationsIn.ts"
import { type Content, html } from "../web/html.ts"

/** Members of members stand below them, so deep; what is deeper has a name, or is told in words. */
const DEEPEST = 3

const linked = (name: string) => html`<a href="/docs/types/${name}">${name}</a>`

const either = (schemas: ReadonlyArray<Described>): Content =>
  schemas.map((schema, at) => [at > 0 && html` <span class="or">or</span> `, typeOf(schema)])

const LIMITS = [
  ["minLength", "at least", "characters"],
  ["maxLength", "at most", "characters"],
  ["minimum", "at least", ""],
  ["maximum", "at most", ""],
  ["exclusiveMinimum", "more than", ""],
  ["minItems", "at least", "items"],
  ["maxItems", "at most", "items"]
] as const

export const limitsOf = (schema: Described): string =>
  LIMITS.filter(([key]) => typeof schema[key] === "number")
    .map(([key, how, of]) => `${how} ${schema[key]}${of === "" ? "" : ` ${of}`}`)
    .join(", ")

/** Describes a type in a few words, with links. */
export const typeOf = (schema: Described): Content => {
  if (typeof schema["$ref"] === "string") return linked(nameOf(schema["$ref"]))
  const some: ReadonlyArray<Described> | undefined = schema["oneOf"] ?? schema["anyOf"]
  if (some !== undefined) return either(some)
  if (Array.isArray(schema["enum"]))
    return schema["enum"].map((value, at) => [at > 0 && " | ", html`<code>${JSON.stringify(value)}</code>`])
  if (schema["type"] === "array") return html`list of ${typeOf(schema["items"] ?? {})}`
  if (
    schema["type"] === "object" &&
    schema["properties"] === undefined &&
    typeof schema["additionalProperties"] === "object"
  )
    return html`object of ${typeOf(schema["additionalProperties"])}`
  if (schema["type"] === "null") return html`<code>null</code>`
  return schema["type"] ?? "anything"
}

/** The members of a schema that has some and no name of its own. */
const findMembers = (schema: Described): Described | undefined => {
  if (schema["properties"] !== undefined) return schema
  const items = schema["type"] === "array" ? (schema["items"] as Described | undefined) : undefined
  return items === undefined ? undefined : findMembers(items)
}

const row = (name: string, schema: Described, required: boolean, depth: number): Content => {
  const limits = limitsOf(schema)
  const inner = depth < DEEPEST ? findMembers(schema) : undefined
  return html`<li><code>${name}</code> <span class="type">${typeOf(schema)}</span>${!required && html` <small>optional</small>`}
${(schema["description"] || limits !== "") && html`<p>${schema["description"]}${limits !== "" && html` <small>${limits}</small>`}</p>`}
${inner !== undefined && members(inner, depth + 1)}</li>`
}

export const members = (schema: Described, depth = 0): Content => {
  const required = new Set<string>(schema["required"] ?? [])
  const rows = Object.entries<Described>(schema["properties"] ?? {})
  return (
    rows.length > 0 &&
    html`<ul class="members">${rows.map(([name, one]) => row(name, one, required.has(name), depth))}</ul>`
  )
}

/** A schema where it is used: its type, and its members where it has no page of its own. */
export const shape = (schema: Described): Content => {
  const inner = typeof schema["$ref"] === "string" ? undefined : findMembers(schema)
  return html`<p class="type">${typeOf(schema)}</p>${inner !== undefined && members(inner)}`
}
