// Members of a view that shape how it looks (developer-api.md 11.6), and the fields of the app that may take each of their places. A member
// that names a field of an unfitting type is refused; one whose field is deleted or converted lets go of it.
import { Schema } from "effect"
import { list } from "../../../platform/bounds/sized.ts"
import type { Field } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"

export const layouts = ["table", "list", "board", "calendar", "gallery"] as const

const optional = Schema.optionalKey
const COLUMNS = 200
const FROZEN = 20
/** Columns that stay in place where a view does not say: the title. */
export const frozenByDefault = 1
const width = { minimum: 60, maximum: 800 }

const ViewColumn = Schema.Struct({
  field_id: Schema.Int,
  width: optional(Schema.Int.check(Schema.isBetween(width)).annotate({ description: "In pixels" })),
  hidden: optional(Schema.Boolean.annotate({ description: "Left out of the table; who may read the field still may" }))
}).annotate({ identifier: "ViewColumn" })
export type ViewColumn = typeof ViewColumn.Type

export const Columns = list(ViewColumn, COLUMNS).annotate({
  identifier: "ViewColumns",
  description: "Columns of the table in their order; fields that are not named follow in the order of the app"
})
export const Frozen = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: FROZEN })).annotate({
  description: "Columns from the left that stay while the others scroll; the title always does"
})
export const CalendarFields = list(Schema.Int, 2).annotate({
  identifier: "ViewCalendarFields",
  description: "A date, or two dates where the second is the end"
})

interface Place {
  readonly fits: (field: Field) => boolean
  readonly needs: string
}

/** Kinds of which a card may be moved from one value to another. */
const boardKinds: ReadonlySet<string> = new Set(["options", "users", "records"])

/** Types of field that fit each member (docs/decisions.md, "Views"). */
const pathOfMember = {
  group_by: {
    fits: (field) => typeOf(field).groups !== undefined,
    needs: "a field that records are grouped by (no files, addresses, checklists or long texts)"
  },
  board_field_id: {
    fits: (field) => {
      const { assignable, kind, multiple } = typeOf(field)
      return assignable && !multiple && boardKinds.has(kind)
    },
    needs: "a status, a single category, a single user or a single relation, since moving a card writes it"
  },
  calendar_field_ids: { fits: (field) => typeOf(field).kind === "dates", needs: "a date" },
  cover_field_id: { fits: (field) => typeOf(field).kind === "files", needs: "an image or attachment field" }
} as const satisfies Record<string, Place>

export type LookPlace = keyof typeof pathOfMember

interface Look {
  readonly columns: ReadonlyArray<ViewColumn>
  readonly group_by: number
  readonly board_field_id: number
  readonly calendar_field_ids: ReadonlyArray<number>
  readonly cover_field_id: number
}

export const lookPlaces = Object.keys(pathOfMember) as ReadonlyArray<LookPlace>

const idsAt = (ids: number | null | ReadonlyArray<number> | undefined): ReadonlyArray<number> =>
  ids == null ? [] : typeof ids === "number" ? [ids] : ids

/** Says where a sent look does not fit the app; null if it does. */
export const lookProblem = (
  { byId }: AppDefinition,
  look: { readonly [K in keyof Look]?: Look[K] | null | undefined }
): string | null => {
  const columnIds = new Set<number>()
  for (const [index, { field_id }] of (look.columns ?? []).entries()) {
    if (!byId.has(field_id)) return `columns[${index}].field_id: the app has no field ${field_id}`
    if (columnIds.has(field_id)) return `columns[${index}].field_id: field ${field_id} has a column already`
    columnIds.add(field_id)
  }
  for (const member of lookPlaces) {
    const { fits, needs } = pathOfMember[member]
    const ids = idsAt(look[member])
    for (const [index, id] of ids.entries()) {
      const path = member === "calendar_field_ids" ? `${member}[${index}]` : member
      const field = byId.get(id)
      if (field === undefined) return `${path}: the app has no field ${id}`
      if (!fits(field)) return `${path}: field ${id} is not ${needs}`
      if (ids.indexOf(id) < index) return `${path}: field ${id} is named already`
    }
  }
  return null
}

/** Places that a field of this type cannot take. */
export const unfitPlaces = (field: Field): ReadonlyArray<LookPlace> =>
  lookPlaces.filter((place) => !pathOfMember[place].fits(field))
