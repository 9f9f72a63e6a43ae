// The schemas that the endpoints' own leave open, each under the name that it has in the description: values of records, definitions of
// fields, automations, filters. The endpoints look at them less closely, since the domain does it, in its own words.
import { Schema } from "effect"
import { automationShapes } from "./automationShapes.ts"
import { fieldShapes } from "./fieldShapes.ts"
import { filterShapes } from "./filterShapes.ts"
import { COMPONENTS } from "./names.ts"

type Json = Record<string, any>

const DEFS = "#/$defs/"

const referring = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(referring)
  if (typeof node !== "object" || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === "$ref" && typeof value === "string" ? [key, value.replace(DEFS, COMPONENTS)] : [key, referring(value)]
    )
  )
}

/** Schemas of fields, filters and automations, with everything that they refer to. */
export const describedShapes = (): Json => {
  const { definitions } = Schema.toJsonSchemaDocument(Schema.Struct({ ...fieldShapes, ...filterShapes }), {
    onExcessProperty: "error"
  })
  return referring({ ...definitions, ...automationShapes() }) as Json
}
