// The cell of a grid that the keyboard is at, as in a spreadsheet: arrows, page up and down, the ends of rows and of the grid.
import { type KeyboardEvent, useState } from "react"

export interface CellPlace {
  readonly row: number
  readonly column: number
}

type Step = (
  at: CellPlace,
  size: { readonly rows: number; readonly columns: number; readonly page: number }
) => CellPlace

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
  Home: () => ({ row: 0, column: 0 }),
  End: (_, { columns, rows }) => ({ row: rows - 1, column: columns - 1 })
}

/** @param page rows that are seen at once @param seen is told where to look */
export const useCells = (rows: number, columns: number, page: number, seen: (row: number) => void) => {
  const [cell, setCell] = useState<CellPlace>({ row: 0, column: 0 })
  const go = ({ column, row }: CellPlace) => {
    const to = {
      row: Math.max(0, Math.min(rows - 1, row)),
      column: Math.max(0, Math.min(columns - 1, column))
    }
    setCell(to)
    seen(to.row)
  }
  /** @returns whether the key was one of them */
  const onKey = (event: KeyboardEvent): boolean => {
    const step = (event.ctrlKey || event.metaKey ? farSteps : steps)[event.key]
    if (step === undefined || event.altKey) return false
    event.preventDefault()
    go(step(cell, { rows, columns, page }))
    return true
  }
  return { cell, go, onKey }
}
