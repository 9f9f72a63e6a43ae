// The look of a grid: order, width and visibility of its columns, how many of them stay in place, the height of its rows, and the field that
// groups them. A view keeps it (viewLook.ts), and the browser what was changed since (useLook.ts).
import type { Field } from "../../../api/types.ts"
import { look as texts } from "../../../texts/records/gridWords.ts"

export const rowHeights = { short: 32, medium: 44, tall: 72 } as const
export type RowHeight = keyof typeof rowHeights

export const groupUnits = texts.groupUnits
export type GroupUnit = keyof typeof groupUnits

export interface Look {
  /** Ids of fields in their order; fields that are not named follow in the app's order. */
  readonly order: ReadonlyArray<number>
  /** Widths by id of the field; 0 is the title's where that is no field's. */
  readonly widths: Readonly<Record<number, number>>
  readonly hidden: ReadonlyArray<number>
  /** Columns from the left that stay while the others scroll, the title's among them. */
  readonly frozen: number
  readonly rowHeight: RowHeight
  /** Id of the field by which rows are grouped. */
  readonly groupBy: number | null
  /** Span of a group of dates. */
  readonly groupUnit: GroupUnit
}

export const plainLook: Look = {
  ...{ order: [], widths: {}, hidden: [], frozen: 1, rowHeight: "short" },
  ...{ groupBy: null, groupUnit: "day" }
}

const LEAST_WIDTH = 60
const MOST_WIDTH = 800
export const clampWidth = (width: number) => Math.round(Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width)))

const widths: Partial<Record<Field["field_type"], number>> = {
  number: 120,
  status: 140,
  single_category: 150,
  single_date: 190,
  range_date: 260,
  multi_text: 260
}
const TITLE_WIDTH = 240
/** Width on a phone. */
const NARROW_TITLE_WIDTH = 140

export interface Column {
  /** Position among the columns that are shown. */
  readonly index: number
  /** None of a title that is no field's. */
  readonly field: Field | undefined
  readonly id: number
  readonly label: string
  readonly width: number
  /** Pixels from the first column. */
  readonly start: number
}

/** Fields in the order of the look, without those that it hides. @param title of the first column, which stays the first */
export const orderedFields = (fields: ReadonlyArray<Field>, look: Look): ReadonlyArray<Field> => {
  const positions = new Map(look.order.map((id, index) => [id, index]))
  const placeOf = ({ field_id }: Field) => positions.get(field_id) ?? look.order.length
  // Stable: what the look does not name keeps the app's order.
  return [...fields].sort((a, b) => placeOf(a) - placeOf(b))
}

interface Titled {
  readonly title: Field | undefined
  readonly titleLabel: string
  readonly fields: ReadonlyArray<Field>
}

export const columnsOfLook = (
  { fields, title, titleLabel }: Titled,
  look: Look,
  isNarrow: boolean
): ReadonlyArray<Column> => {
  const hiddenIds = new Set(look.hidden)
  const shownFields = orderedFields(fields, look).filter(({ field_id }) => !hiddenIds.has(field_id))
  let start = 0
  return [title, ...shownFields].map((field, index) => {
    const id = field?.field_id ?? 0
    const plainWidth = index === 0 ? (isNarrow ? NARROW_TITLE_WIDTH : TITLE_WIDTH) : (widths[field!.field_type] ?? 190)
    const column = { index, field, id, label: field?.label ?? titleLabel, width: look.widths[id] ?? plainWidth, start }
    start += column.width
    return column
  })
}

/** Number of columns that stay in place: as the look says, but never so many that little of the others is seen. */
export const frozenCount = (columns: ReadonlyArray<Column>, frozen: number, view: number): number => {
  const fits = columns.slice(0, frozen).filter(({ start, width }) => start + width <= view * 0.6).length
  return Math.max(1, fits)
}

const totalWidth = (columns: ReadonlyArray<Column>): number => {
  const lastColumn = columns.at(-1)
  return lastColumn === undefined ? 0 : lastColumn.start + lastColumn.width
}

/** Columns that are drawn beside the frozen ones. */
export interface ColumnWindow {
  readonly first: number
  /** Position behind the last of them. */
  readonly last: number
}

/** Columns drawn beyond what is seen, before and behind. */
const MORE = 2

/** @param left pixels by which the box is scrolled @param view width of the box beside what stays in place before the first column */
export const drawnColumns = (
  columns: ReadonlyArray<Column>,
  frozen: number,
  left: number,
  view: number
): ColumnWindow => {
  const frozenWidth = columns[frozen]?.start ?? totalWidth(columns)
  const isSeen = ({ start, width }: Column) => start + width > left + frozenWidth && start < left + view
  const from = columns.findIndex((column) => column.index >= frozen && isSeen(column))
  if (from < 0) return { first: frozen, last: Math.min(columns.length, frozen + MORE) }
  const until = columns.findLastIndex((column) => column.index >= frozen && isSeen(column))
  return { first: Math.max(frozen, from - MORE), last: Math.min(columns.length, until + 1 + MORE) }
}

/** Scroll position that shows a column: the current one if it does already. */
export const leftShowing = (
  columns: ReadonlyArray<Column>,
  frozen: number,
  index: number,
  left: number,
  view: number
): number => {
  const column = columns[index]
  if (column === undefined || index < frozen) return left
  const frozenWidth = columns[frozen]?.start ?? 0
  if (column.start - frozenWidth < left) return column.start - frozenWidth
  const end = column.start + column.width
  return end > left + view ? Math.min(end - view, column.start - frozenWidth) : left
}

/** The order after a column was moved before another one. @param to index among the columns shown, the title not counted as a place */
export const moveColumn = (columns: ReadonlyArray<Column>, from: number, to: number): ReadonlyArray<number> => {
  const ids = columns.slice(1).map(({ id }) => id)
  const [moved] = ids.splice(from - 1, 1)
  if (moved === undefined) return ids
  ids.splice(Math.max(0, Math.min(ids.length, to - 1)), 0, moved)
  return ids
}
