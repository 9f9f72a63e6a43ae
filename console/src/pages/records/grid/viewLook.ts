// Translates between the look of a grid and what a view keeps of it (developer-api.md 11.6). The API has no height of rows of its own: it goes
// with what a view keeps as it was sent.
import type { App, View } from "../../../api/types.ts"
import { columnsOf, titleFieldOf } from "./columns.ts"
import { clampWidth, type Look, orderedFields, plainLook, type RowHeight, rowHeights } from "./look.ts"

const MOST_FROZEN = 20

const rowHeightOf = (table: unknown): RowHeight => {
  const height = (table as { readonly row_height?: unknown } | null)?.row_height
  return typeof height === "string" && Object.hasOwn(rowHeights, height) ? (height as RowHeight) : plainLook.rowHeight
}

export const lookOfView = ({ columns, frozen, group_by, table }: View): Look => ({
  order: columns.map(({ field_id }) => field_id),
  widths: Object.fromEntries(
    columns.flatMap(({ field_id, width }) => (width === undefined ? [] : [[field_id, clampWidth(width)]]))
  ),
  hidden: columns.flatMap(({ field_id, hidden }) => (hidden === true ? [field_id] : [])),
  frozen: Math.max(1, frozen),
  rowHeight: rowHeightOf(table),
  groupBy: group_by
})

/** Members of a view that keep the look. Every field has its column once one of them is not plain. */
export const viewOfLook = (app: App, look: Look) => {
  const title = titleFieldOf(app)
  const fields = [...(title === undefined ? [] : [title]), ...orderedFields(columnsOf(app), look)]
  const isPlain = look.order.length === 0 && look.hidden.length === 0 && Object.keys(look.widths).length === 0
  const columns = fields.map(({ field_id }) => {
    const width = look.widths[field_id]
    return {
      field_id,
      ...(width === undefined ? {} : { width }),
      ...(look.hidden.includes(field_id) ? { hidden: true } : {})
    }
  })
  return {
    columns: isPlain ? [] : columns,
    frozen: Math.min(MOST_FROZEN, look.frozen),
    group_by: look.groupBy,
    table: look.rowHeight === plainLook.rowHeight ? null : { row_height: look.rowHeight }
  }
}

export const isSameLook = (app: App, one: Look, other: Look): boolean =>
  JSON.stringify(viewOfLook(app, one)) === JSON.stringify(viewOfLook(app, other))
