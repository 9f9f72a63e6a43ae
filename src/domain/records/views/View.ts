// Views on the wire (developer-api.md 3.5). What shapes their look is stored and returned as it was sent.
import { Schema } from "effect"
import { anything, json, sizes } from "../../../platform/bounds/sized.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { RecordFilters } from "../fields/matching/RecordFilter.ts"

const optional = Schema.optionalKey
const orNull = <S extends Schema.Top>(schema: S) => optional(Schema.NullOr(schema))

export const layouts = ["table", "list", "board"] as const
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
  private: optional(anything(100))
}).annotate({ identifier: "ViewUpdate" })
export type ViewChange = Partial<Omit<typeof ViewUpdate.Type, "id" | "view_id" | "app_id" | "is_default" | "private">>

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
  fields: Schema.Unknown,
  split_by: Schema.Unknown,
  show_progress: Schema.Unknown,
  table: Schema.Unknown,
  board: Schema.Unknown
}).annotate({ identifier: "View" })

const { id: _, ...columns } = View.fields

export const ViewRow = Schema.Struct({ ...columns, filters: jsonb<RecordFilters>(), created_on: Schema.Date })
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
  fields: row.fields,
  split_by: row.split_by,
  show_progress: row.show_progress,
  table: row.table,
  board: row.board
})
