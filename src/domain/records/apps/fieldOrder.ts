// Order of an app's fields (developer-api.md 3.1, `PUT /app/{app_id}/fields/order`).
import type { Field } from "../fields/model/Field.ts"

/** Named fields first, in that order; the others keep their relative order after them. */
export const reordered = (fields: ReadonlyArray<Field>, named: ReadonlyArray<number>): ReadonlyArray<Field> => {
  const byId = new Map(fields.map((field) => [field.field_id, field]))
  const namedFields = named.map((id) => byId.get(id)!)
  const otherFields = fields.filter((field) => !named.includes(field.field_id))
  return [...namedFields, ...otherFields].map((field, position) => ({ ...field, position }))
}
