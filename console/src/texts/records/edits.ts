// Texts of changes in the grid, and of undoing and redoing them.
import { plural } from "../../../../src/platform/text/plural.ts"

export const addRecord = {
  addARecord: "Add a record"
} as const

export const changes = {
  countCells: (shownCount: string, count: number) =>
    plural(count, { one: `${shownCount} cell`, other: `${shownCount} cells` }),
  nothingToUndo: "Nothing to undo.",
  nothingToRedo: "Nothing to redo.",
  leftCountRecordsStayed: (shownCount: string, leftCount: number) =>
    plural(leftCount, {
      one: ` ${shownCount} record stayed as it is: it was deleted or restored by somebody else since.`,
      other: ` ${shownCount} records stayed as they are: they were deleted or restored by somebody else since.`
    }),
  undone: "Undone",
  redone: "Redone",
  summaryCellsCountStayed: (summary: string, cellsCount: string, count: number) =>
    plural(count, {
      one: `${summary} ${cellsCount} stayed as it is: it was changed by somebody else since.`,
      other: `${summary} ${cellsCount} stayed as they are: they were changed by somebody else since.`
    })
} as const

export const duplicate = {
  duplicate: "Duplicate",
  recordsAdded: (records: string) => `${records} added.`
} as const

export const rangeEdits = {
  labelRow: (label: string, row: string) => `${label}, row ${row}`,
  itIsCalculated: "it is calculated",
  itNeedsAValue: "it needs a value",
  clear: "Clear",
  cleared: "cleared",
  fill: "Fill",
  filled: "filled"
} as const
