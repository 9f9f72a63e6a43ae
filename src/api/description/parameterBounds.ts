// Describes parameters with the types and bounds of their decoded side, where the encoded one is text. So one schema serves for checking
// and for the description (developer-api.md 1.2, 1.4).
import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

type Json = Record<string, any>

/** Ids that travel as texts (developer-api.md 1.2); the services say what is wrong with others. */
const numerals = new Set(["run_id", "other_run_id", "revision_id", "from_id", "to_id"])
const NUMERAL = "^[0-9]{1,19}$"

const decoded = (schema: Schema.Top | undefined): Json =>
  schema === undefined
    ? {}
    : ((Schema.toJsonSchemaDocument(Schema.toType(schema)).schema["properties"] as Json | undefined) ?? {})

/** A whole number with the bounds that say something. */
const boundInteger = ({ description, exclusiveMinimum, maximum, minimum }: Json): Json => ({
  type: "integer",
  ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum + 1 }),
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  ...(description === undefined ? {} : { description })
})

/** Bounds for the parameters of the endpoint. */
export const boundsOf = ({ params, query }: HttpApiEndpoint.Top) => {
  const sides: Json = { path: decoded(params), query: decoded(query) }
  return (parameter: Json): Json => {
    const { in: place, name, schema } = parameter
    const parameterSchema: Json | undefined = sides[place]?.[name]
    if (parameterSchema?.["type"] === "integer") return { ...parameter, schema: boundInteger(parameterSchema) }
    if (place === "path" && numerals.has(name)) return { ...parameter, schema: { ...schema, pattern: NUMERAL } }
    return parameter
  }
}
