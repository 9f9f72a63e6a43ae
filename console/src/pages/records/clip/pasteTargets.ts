// Cells that a pasted block goes to: a block that fits several times into the selected range fills all of it, another begins at its corner.

import { pasteTargets as texts } from "../../../texts/records/clip.ts"
import { heightOf, type Range, widthOf } from "../grid/selection.ts"

/** Bounds of one paste, fill or clearing. */
const MOST_ROWS = 1_000
const MOST_COLUMNS = 50
/** Characters of a pasted text. */
export const MOST_CHARS = 5_000_000

export interface PasteTargets {
  readonly range: Range
  /** Columns of the block beyond the last one of the grid. */
  readonly cutColumns: number
  /** Row and column of the block for a place within the range. */
  readonly sourceOf: (row: number, column: number) => { readonly row: number; readonly column: number }
}

interface Block {
  readonly rows: number
  readonly columns: number
}

/** @param columns columns of the grid */
export const pasteTargets = (block: Block, selected: Range, columns: number): PasteTargets => {
  const [height, width] = [heightOf(selected), widthOf(selected)]
  const isRepeated = height % block.rows === 0 && width % block.columns === 0
  const [rowCount, columnCount] = isRepeated ? [height, width] : [block.rows, block.columns]
  const right = Math.min(columns, selected.left + columnCount) - 1
  return {
    range: { top: selected.top, left: selected.left, bottom: selected.top + rowCount - 1, right },
    cutColumns: selected.left + columnCount - 1 - right,
    sourceOf: (row, column) => ({
      row: (row - selected.top) % block.rows,
      column: (column - selected.left) % block.columns
    })
  }
}

/** Reason for which so much is not changed at once; undefined if it is not too much. */
export const tooMuch = (range: Range): string | undefined =>
  heightOf(range) > MOST_ROWS || widthOf(range) > MOST_COLUMNS
    ? texts.atMostRows(MOST_ROWS.toLocaleString(), MOST_COLUMNS, heightOf(range).toLocaleString(), widthOf(range))
    : undefined
