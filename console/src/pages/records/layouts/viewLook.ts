// What a view says of its layout (developer-api.md 11.6).
import type { Field } from "../../../api/types.ts"

export interface ViewLook {
  readonly layout: string
  readonly board_field_id?: number | null
  readonly calendar_field_ids?: ReadonlyArray<number> | null
  readonly cover_field_id?: number | null
  readonly columns?: ReadonlyArray<{ readonly field_id: number; readonly width?: number; readonly hidden?: boolean }>
}

/** Fields that a view shows, in its order; those that it does not name follow. */
export const visibleFields = (fields: ReadonlyArray<Field>, view: ViewLook | undefined): ReadonlyArray<Field> => {
  const columns = view?.columns ?? []
  const places = new Map(columns.map(({ field_id }, index) => [field_id, index]))
  const hiddenIds = new Set(columns.filter(({ hidden }) => hidden === true).map(({ field_id }) => field_id))
  const placeOf = ({ field_id }: Field) => places.get(field_id) ?? columns.length
  return fields.filter(({ field_id }) => !hiddenIds.has(field_id)).sort((a, b) => placeOf(a) - placeOf(b))
}
