// Types as generators of clients read them: what travels as text in a path or a query but is a number or a switch is described as that,
// lists have items, free objects members; bounds that only say "safe integer" go.
type Json = Record<string, any>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Pattern that the generator writes for a number in text. */
const NUMERIC = "^[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[Ee][+-]?\\d+)?$"

/** The schema of a parameter. All numbers among them are whole; those of endpoints have their bounds already (parameterBounds.ts). */
const ofParameter = (schema: Json): Json => {
  if (schema["pattern"] === NUMERIC) return { type: "integer" }
  const { enum: values } = schema
  if (Array.isArray(values) && values.length === 2 && values.includes("true") && values.includes("false"))
    return { type: "boolean" }
  return schema
}

const ofSchema = (schema: Json): Json => {
  const { maximum, minimum, ...rest } = schema
  const bounded = {
    ...rest,
    ...(minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
  }
  const { type } = schema
  // A number without the format is single precision to some generators.
  if (type === "number") return { format: "double", ...defined(bounded) }
  if (type === "array" && schema["items"] === undefined && schema["prefixItems"] === undefined)
    return { ...defined(bounded), items: {} }
  const closed = ["properties", "additionalProperties", "patternProperties"].some((name) => name in schema)
  return type === "object" && !closed ? { ...defined(bounded), additionalProperties: true } : defined(bounded)
}

const defined = (value: Json): Json => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

/** The whole document or a part of it. */
export const describedTypes = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(describedTypes)
  if (!isObject(node)) return node
  const inner = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "example" || key === "enum" ? value : describedTypes(value)
    ])
  )
  if (typeof inner["in"] === "string" && isObject(inner["schema"]))
    return { ...inner, schema: ofParameter(inner["schema"]) }
  const { anyOf, ...rest } = inner
  // Anything, or null: anything.
  if (Array.isArray(anyOf) && anyOf.some((one) => Object.keys(one).length === 0)) return rest
  return typeof inner["type"] === "string" ? ofSchema(inner) : inner
}
