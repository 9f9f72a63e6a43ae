// Corrects arguments that models send in another form than the schema asks for, though the meaning is clear: null or an empty text for an
// optional argument (strict function calling has every argument sent), an object or a list as its JSON text. A value that the schema allows
// stays as it is: where null or an empty text means something, the schema says so.
import { textExcess } from "../../platform/bounds/jsonText.ts"
import { quoteInexact } from "../../platform/text/exactNumbers.ts"
import { isObject, type SchemaNode } from "./jsonSchema.ts"

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "object" ? "object" : typeof value

const branches = (schema: unknown): ReadonlyArray<SchemaNode> => {
  if (!isObject(schema)) return []
  const { anyOf } = schema
  return Array.isArray(anyOf) ? anyOf.flatMap(branches) : [schema]
}

const types = ({ type }: SchemaNode): ReadonlyArray<unknown> =>
  Array.isArray(type) ? type : type === undefined ? [] : [type]

/** A schema without a type takes anything. */
const allows = (schema: unknown, kind: string): boolean =>
  branches(schema).some((one) => types(one).length === 0 || types(one).includes(kind))

/** Said of null itself: where anything may stand, null says nothing. */
const namesNull = (schema: unknown) => branches(schema).some((one) => types(one).includes("null"))

const listsTexts = (schema: unknown) =>
  branches(schema).every((one) => one["enum"] !== undefined || !types(one).includes("string"))

/** Any text may stand there, not only those that are listed. */
const takesTexts = (schema: unknown): boolean =>
  branches(schema).some(
    (one) => one["enum"] === undefined && (types(one).length === 0 || types(one).includes("string"))
  )

/** A JSON text that stands for an object or a list where no text may stand. */
const parseText = (schema: unknown, value: unknown): unknown => {
  if (typeof value !== "string" || takesTexts(schema) || !/^\s*[{[]/.test(value)) return value
  if (textExcess(value) !== undefined) return value
  try {
    const parsedValue: unknown = JSON.parse(quoteInexact(value))
    return allows(schema, kindOf(parsedValue)) ? parsedValue : value
  } catch {
    return value
  }
}

/** True if an optional member counts as not sent. */
const isLeftOut = (schema: unknown, value: unknown, keepsEmpty: boolean): boolean => {
  if (value === null) return !namesNull(schema)
  if (value !== "" || keepsEmpty) return false
  return !allows(schema, "string") || listsTexts(schema)
}

const read = (schema: unknown, sent: unknown): unknown => {
  const value = parseText(schema, sent)
  const kind = kindOf(value)
  if (kind !== "object" && kind !== "array") return value
  // Which one of several is meant is not known here.
  const fitting = branches(schema).filter((one) => types(one).includes(kind))
  const [only] = fitting
  if (only === undefined || fitting.length > 1) return value
  if (Array.isArray(value)) return value.map((one) => read(only["items"], one))
  return members(only, value as SchemaNode, () => false)
}

const members = (schema: SchemaNode, value: SchemaNode, isText: (name: string) => boolean): SchemaNode => {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  const required = new Set((schema["required"] as ReadonlyArray<string> | undefined) ?? [])
  const kept: Array<readonly [string, unknown]> = []
  for (const [name, one] of Object.entries(value)) {
    const propertySchema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (propertySchema === undefined) kept.push([name, one])
    else if (!required.has(name) && (isLeftOut(propertySchema, one, false) || (one === "" && isText(name)))) continue
    else kept.push([name, read(propertySchema, one)])
  }
  return Object.fromEntries(kept)
}

/**
 * The arguments of a call as they were meant.
 * @param schema all that the tool's arguments may be
 * @param emptied texts that mean something when they are empty; any other that is optional is left out then
 */
export const meantArguments =
  (schema: SchemaNode, emptied: ReadonlySet<string>) =>
  (args: unknown): unknown =>
    isObject(args) ? members(schema, args, (name) => !emptied.has(name)) : (args ?? {})

/** The params of a message: none of the protocol's own optional ones may be null, and `arguments` are an object. */
export const meantParams = (params: unknown): unknown => {
  if (!isObject(params)) return params ?? undefined
  const kept = Object.entries(params).filter(([name, value]) => value !== null && !(name === "cursor" && value === ""))
  const { arguments: args } = params
  const keptParams = Object.fromEntries(kept)
  return typeof args === "string" ? { ...keptParams, arguments: parseText({ type: "object" }, args) } : keptParams
}
