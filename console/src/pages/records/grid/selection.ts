// Selection of a grid (docs/console.md, "Keys of the grid"): one active cell, which is typed into, and the range around it, between an anchor
// and a head. Plain functions without a page.
import { selection as texts } from "../../../texts/records/gridWords.ts"

export interface CellPlace {
  readonly row: number
  readonly column: number
}

export interface Selection {
  /** Cell that the keyboard is at. */
  readonly active: CellPlace
  /** Corner of the range that stays while the range is extended. */
  readonly anchor: CellPlace
  /** Corner that is moved. */
  readonly head: CellPlace
}

/** Corners of a range, both within. */
export interface Range {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Rows that are seen at once. */
  readonly page: number
}

export const selectCell = (place: CellPlace): Selection => ({ active: place, anchor: place, head: place })

export const startSelection = selectCell({ row: 0, column: 0 })

const rangeBetween = (a: CellPlace, b: CellPlace): Range => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.column, b.column),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.column, b.column)
})

export const rangeOf = ({ anchor, head }: Selection): Range => rangeBetween(anchor, head)

export const heightOf = ({ bottom, top }: Range) => bottom - top + 1
export const widthOf = ({ left, right }: Range) => right - left + 1
export const isOneCell = (range: Range) => heightOf(range) === 1 && widthOf(range) === 1

/** The nearest cell of the grid. */
export const isSamePlace = (a: CellPlace, b: CellPlace | undefined): boolean =>
  a.row === b?.row && a.column === b.column

export const clampPlace = ({ column, row }: CellPlace, { columns, rows }: GridSize): CellPlace => ({
  row: Math.max(0, Math.min(rows - 1, row)),
  column: Math.max(0, Math.min(columns - 1, column))
})

/** Extends the range to a cell. */
export const extendTo = (selection: Selection, head: CellPlace): Selection => ({ ...selection, head })

/** Moves the selection with its cells, where rows and columns came before them or went. */
export const shiftSelection = (selection: Selection, by: CellPlace, size: GridSize): Selection => {
  const shifted = ({ column, row }: CellPlace) => clampPlace({ row: row + by.row, column: column + by.column }, size)
  const { active, anchor, head } = selection
  return { active: shifted(active), anchor: shifted(anchor), head: shifted(head) }
}

const selectAll = ({ active }: Selection, { columns, rows }: GridSize): Selection => ({
  active,
  anchor: { row: 0, column: 0 },
  head: { row: Math.max(0, rows - 1), column: columns - 1 }
})

type Step = (from: CellPlace, size: GridSize) => CellPlace

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: ({ column, row }) => ({ row: row - 1, column }),
  ArrowDown: ({ column, row }) => ({ row: row + 1, column }),
  ArrowLeft: ({ column, row }) => ({ row, column: column - 1 }),
  ArrowRight: ({ column, row }) => ({ row, column: column + 1 }),
  PageUp: ({ column, row }, { page }) => ({ row: row - page, column }),
  PageDown: ({ column, row }, { page }) => ({ row: row + page, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { columns }) => ({ row, column: columns - 1 })
}
const farSteps: Readonly<Record<string, Step>> = {
  ArrowUp: ({ column }) => ({ row: 0, column }),
  ArrowDown: ({ column }, { rows }) => ({ row: rows - 1, column }),
  ArrowLeft: ({ row }) => ({ row, column: 0 }),
  ArrowRight: ({ row }, { columns }) => ({ row, column: columns - 1 }),
  Home: () => ({ row: 0, column: 0 }),
  End: (_, { columns, rows }) => ({ row: rows - 1, column: columns - 1 })
}

export interface SelectionKey {
  readonly key: string
  /** Ctrl, or ⌘. */
  readonly isFar: boolean
  readonly isShift: boolean
}

/** Selection after a key; undefined if the key does not move it. */
export const moveByKey = (selection: Selection, key: SelectionKey, size: GridSize): Selection | undefined => {
  if (key.isFar && !key.isShift && key.key.toLowerCase() === "a") return selectAll(selection, size)
  if (key.key === "Escape" && !isOneCell(rangeOf(selection))) return selectCell(selection.active)
  const step = (key.isFar ? farSteps : steps)[key.key]
  if (step === undefined) return undefined
  return key.isShift
    ? extendTo(selection, clampPlace(step(selection.head, size), size))
    : selectCell(clampPlace(step(selection.active, size), size))
}

/** Words for a screen reader. */
export const selectionWords = (range: Range): string =>
  isOneCell(range)
    ? ""
    : texts.heightByWidthCellsSelected(heightOf(range).toLocaleString(), widthOf(range).toLocaleString())
