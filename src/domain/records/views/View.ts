// Views on the wire (developer-api.md 3.5, 11.6). What `lookKeys` names is stored and returned as it was sent.
import { Schema } from "effect"
import { anything, json, sizes } from "../../../platform/bounds/sized.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { RecordFilters } from "../fields/matching/RecordFilter.ts"
import { CalendarFields, Columns, Frozen, layouts, type ViewColumn } from "./viewLook.ts"

const optional = Schema.optionalKey
const orNull = <S extends Schema.Top>(schema: S) => optional(Schema.NullOr(schema))

const Layout = Schema.Literals(layouts).annotate({ identifier: "ViewLayout" })
const Name = Schema.Trimmed.check(Schema.isBetweenLength(1, 200))

const lookFields = {
  fields: orNull(json(sizes.lookValues)),
  split_by: orNull(json(sizes.lookValues)),
  show_progress: orNull(json(sizes.lookValues)),
  table: orNull(json(sizes.lookValues)),
  board: orNull(json(sizes.lookValues))
}
export const lookKeys = Object.keys(lookFields) as ReadonlyArray<keyof typeof lookFields>

const changeable = {
  sort_by: orNull(Schema.Int),
  sort_desc: orNull(Schema.Boolean),
  filters: orNull(RecordFilters),
  columns: orNull(Columns),
  frozen: orNull(Frozen),
  group_by: orNull(Schema.Int),
  board_field_id: orNull(Schema.Int),
  calendar_field_ids: orNull(CalendarFields),
  cover_field_id: orNull(Schema.Int),
  private: orNull(Schema.Boolean.annotate({ description: "True: nobody but its maker sees the view" })),
  ...lookFields
}
export const ViewCreate = Schema.Struct({ name: Name, layout: Layout, ...changeable }).annotate({
  identifier: "ViewCreate"
})

/** Accepts members that a read contains but nobody may write, so that a read can be sent back. */
export const ViewUpdate = Schema.Struct({
  name: orNull(Name),
  layout: optional(Layout),
  ...changeable,
  id: optional(anything(100)),
  view_id: optional(anything(100)),
  app_id: optional(anything(100)),
  is_default: optional(anything(100)),
  created_by: optional(anything(100))
}).annotate({ identifier: "ViewUpdate" })
export type ViewChange = Partial<
  Omit<typeof ViewUpdate.Type, "id" | "view_id" | "app_id" | "is_default" | "created_by">
>

const head = {
  id: Schema.Int,
  view_id: Schema.Int,
  name: Schema.String,
  app_id: Schema.Int,
  is_default: Schema.Boolean,
  layout: Layout,
  private: Schema.Boolean
}
export const ViewListed = Schema.Struct(head).annotate({ identifier: "ListedView" })
export const View = Schema.Struct({
  ...head,
  sort_by: Schema.NullOr(Schema.Int),
  sort_desc: Schema.Boolean,
  filters: RecordFilters,
  columns: Columns,
  frozen: Schema.Int,
  group_by: Schema.NullOr(Schema.Int),
  board_field_id: Schema.NullOr(Schema.Int),
  calendar_field_ids: CalendarFields,
  cover_field_id: Schema.NullOr(Schema.Int),
  created_by: Schema.NullOr(
    Schema.Int.annotate({ description: "User who made it; null for the first view of an app, and for older ones" })
  ),
  fields: Schema.Unknown,
  split_by: Schema.Unknown,
  show_progress: Schema.Unknown,
  table: Schema.Unknown,
  board: Schema.Unknown
}).annotate({ identifier: "View" })

const { id: _, ...columns } = View.fields

export const ViewRow = Schema.Struct({
  ...columns,
  filters: jsonb<RecordFilters>(),
  columns: jsonb<ReadonlyArray<ViewColumn>>(),
  calendar_field_ids: jsonb<ReadonlyArray<number>>(),
  created_on: Schema.Date
})
export type ViewRow = typeof ViewRow.Type

export const renderListedView = (row: ViewRow): typeof ViewListed.Type => ({
  id: row.view_id,
  view_id: row.view_id,
  name: row.name,
  app_id: row.app_id,
  is_default: row.is_default,
  layout: row.layout,
  private: row.private
})
export const renderView = (row: ViewRow): typeof View.Type => ({
  ...renderListedView(row),
  sort_by: row.sort_by,
  sort_desc: row.sort_desc,
  filters: row.filters,
  columns: row.columns,
  frozen: row.frozen,
  group_by: row.group_by,
  board_field_id: row.board_field_id,
  calendar_field_ids: row.calendar_field_ids,
  cover_field_id: row.cover_field_id,
  created_by: row.created_by,
  fields: row.fields,
  split_by: row.split_by,
  show_progress: row.show_progress,
  table: row.table,
  board: row.board
})
