// Translates between the look of a grid and what a view keeps of it (developer-api.md 11.6). The API has no height of rows and no span of groups of
// its own: they go with what a view keeps as it was sent.
import type { App, View } from "../../../api/types.ts"
import { columnsOf, titleFieldOf } from "./columns.ts"
import { clampWidth, groupUnits, type Look, orderedFields, plainLook, rowHeights } from "./look.ts"

const MOST_FROZEN = 20

/** A word of the view's table, or the plain one. */
const wordOf = <Word extends string>(
  table: unknown,
  key: string,
  words: Readonly<Record<Word, unknown>>,
  plain: Word
) => {
  const word = (table as { readonly [key: string]: unknown } | null)?.[key]
  return typeof word === "string" && Object.hasOwn(words, word) ? (word as Word) : plain
}

export const lookOfView = ({ columns, frozen, group_by, table }: View): Look => ({
  order: columns.map(({ field_id }) => field_id),
  widths: Object.fromEntries(
    columns.flatMap(({ field_id, width }) => (width === undefined ? [] : [[field_id, clampWidth(width)]]))
  ),
  hidden: columns.flatMap(({ field_id, hidden }) => (hidden === true ? [field_id] : [])),
  frozen: Math.max(1, frozen),
  rowHeight: wordOf(table, "row_height", rowHeights, plainLook.rowHeight),
  groupBy: group_by,
  groupUnit: wordOf(table, "group_unit", groupUnits, plainLook.groupUnit)
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
  const table = {
    ...(look.rowHeight === plainLook.rowHeight ? {} : { row_height: look.rowHeight }),
    ...(look.groupUnit === plainLook.groupUnit ? {} : { group_unit: look.groupUnit })
  }
  return {
    columns: isPlain ? [] : columns,
    frozen: Math.min(MOST_FROZEN, look.frozen),
    group_by: look.groupBy,
    table: Object.keys(table).length === 0 ? null : table
  }
}

export const isSameLook = (app: App, one: Look, other: Look): boolean =>
  JSON.stringify(viewOfLook(app, one)) === JSON.stringify(viewOfLook(app, other))
