// Keeps the selection of a grid at its record and field, where rows or columns come before them or go (docs/console.md, "The grid as a spreadsheet"):
// what is typed next is for the cell that was chosen.
import { useLayoutEffect, useRef } from "react"
import type { RecordRow } from "../../../api/types.ts"
import type { Column } from "./look.ts"
import type { CellPlace } from "./selection.ts"

interface Following {
  readonly active: CellPlace
  readonly columns: ReadonlyArray<Column>
  readonly rowAt: (row: number) => RecordRow | undefined
  /** Row of a record that is loaded. */
  readonly rowOf: (recordId: number) => number | undefined
  /** False while rows of another search, or none, stand for those that are asked for. */
  readonly isSettled: boolean
  readonly shift: (by: CellPlace) => void
}
export const useFollowing = ({ active, columns, isSettled, rowAt, rowOf, shift }: Following) => {
  const followedCell = useRef<{
    readonly at: CellPlace
    readonly recordId: number | undefined
    readonly columnId: number | undefined
  }>(undefined)
  useLayoutEffect(() => {
    if (!isSettled) return
    const record = rowAt(active.row)
    const formerCell = followedCell.current
    const isSame = formerCell?.at.row === active.row && formerCell.at.column === active.column
    const rowOfBefore =
      isSame && formerCell.recordId !== undefined && formerCell.recordId !== record?.record_id
        ? rowOf(formerCell.recordId)
        : undefined
    const columnOfBefore = isSame ? columns.find(({ id }) => id === formerCell.columnId)?.index : undefined
    const by = {
      row: rowOfBefore === undefined ? 0 : rowOfBefore - active.row,
      column: columnOfBefore === undefined ? 0 : columnOfBefore - active.column
    }
    if (by.row !== 0 || by.column !== 0) {
      const shiftedCell = { row: active.row + by.row, column: active.column + by.column }
      followedCell.current = {
        at: shiftedCell,
        recordId: rowAt(shiftedCell.row)?.record_id,
        columnId: columns[shiftedCell.column]?.id
      }
      shift(by)
    } else followedCell.current = { at: active, recordId: record?.record_id, columnId: columns[active.column]?.id }
  })
}
