// The fields that a layout goes by: as the address says, else as the view says, else the first that fits (developer-api.md 11.6).
import type { App, Field, View } from "../../../api/types.ts"
import { type Layout, type LayoutSearch, layouts } from "./layoutSearch.ts"

type Types = ReadonlyArray<Field["field_type"]>
const boardTypes: Types = ["status", "single_category", "single_user", "single_relation"]
const dateTypes: Types = ["single_date", "range_date", "created_at", "last_modified_at"]
const coverTypes: Types = ["multi_image", "single_attachment", "multi_attachment"]

/** Lists fields in the order of the types, so that a status comes before other options and pictures before other files. */
const fieldsOf = ({ fields }: App, types: Types): ReadonlyArray<Field> =>
  types.flatMap((type) => fields.filter(({ config, field_type }) => field_type === type && !config.always_hidden))

const isCalculatedDate = ({ config: { settings }, field_type }: Field) =>
  field_type === "calculation" && "result" in settings && settings.result === "date"

export const boardFields = (app: App) => fieldsOf(app, boardTypes)
export const dateFields = (app: App) => [
  ...fieldsOf(app, dateTypes),
  ...fieldsOf(app, ["calculation"]).filter(isCalculatedDate)
]
export const coverFields = (app: App) => fieldsOf(app, coverTypes)
/** Fields that may hold the end of a span, beside a field that holds its start alone. */
export const endFields = (app: App, start: Field | undefined) =>
  start === undefined || start.field_type === "range_date"
    ? []
    : dateFields(app).filter(({ field_id, field_type }) => field_type !== "range_date" && field_id !== start.field_id)

export interface ChosenLayout {
  readonly layout: Layout
  readonly board: Field | undefined
  readonly start: Field | undefined
  readonly end: Field | undefined
  readonly cover: Field | undefined
}

const isLayout = (name: string | undefined): name is Layout => layouts.includes(name as Layout)

/** @param search an `end` of 0 is none, whatever the view says */
export const chosenLayout = (app: App, search: LayoutSearch, view: View | undefined): ChosenLayout => {
  const oneOf = (fields: ReadonlyArray<Field>, ...ids: ReadonlyArray<number | null | undefined>) => {
    const id = ids.find((one) => one !== null && one !== undefined)
    return fields.find(({ field_id }) => field_id === id)
  }
  const [startId, endId] = view?.calendar_field_ids ?? []
  const dates = dateFields(app)
  const start = oneOf(dates, search.start, startId) ?? dates[0]
  return {
    layout: search.layout ?? (isLayout(view?.layout) ? view.layout : "table"),
    board: oneOf(boardFields(app), search.board, view?.board_field_id) ?? boardFields(app)[0],
    start,
    end: oneOf(endFields(app, start), search.end, search.start === undefined ? endId : undefined),
    cover: oneOf(coverFields(app), search.cover, view?.cover_field_id) ?? coverFields(app)[0]
  }
}

/** The layout as a view keeps it: fields that another layout goes by stay as they are. */
export const layoutOfView = ({ board, cover, end, layout, start }: ChosenLayout) => ({
  layout,
  ...(layout === "board" && board !== undefined && { board_field_id: board.field_id }),
  ...(layout === "calendar" && {
    calendar_field_ids: [start, end].flatMap((field) => (field === undefined ? [] : [field.field_id]))
  }),
  ...(layout === "gallery" && cover !== undefined && { cover_field_id: cover.field_id })
})

export const isSameLayout = (a: ChosenLayout, b: ChosenLayout) =>
  JSON.stringify(layoutOfView(a)) === JSON.stringify(layoutOfView(b))

/** The layout as an address keeps it that has no view. */
export const placeOf = ({ board, cover, end, layout, start }: ChosenLayout, place: LayoutSearch): LayoutSearch =>
  layout === "table"
    ? {}
    : {
        ...place,
        layout,
        ...(layout === "board" && { board: board?.field_id }),
        ...(layout === "calendar" && { start: start?.field_id, end: end?.field_id }),
        ...(layout === "gallery" && { cover: cover?.field_id })
      }
