// Fields that a view shows, in its order; those that it does not name follow (developer-api.md 11.6).
import type { Field, View } from "../../../api/types.ts"

export const visibleFields = (
  fields: ReadonlyArray<Field>,
  columns: View["columns"] | undefined = []
): ReadonlyArray<Field> => {
  const positions = new Map(columns.map(({ field_id }, index) => [field_id, index]))
  const hiddenIds = new Set(columns.filter(({ hidden }) => hidden === true).map(({ field_id }) => field_id))
  const placeOf = ({ field_id }: Field) => positions.get(field_id) ?? columns.length
  return fields.filter(({ field_id }) => !hiddenIds.has(field_id)).sort((a, b) => placeOf(a) - placeOf(b))
}
