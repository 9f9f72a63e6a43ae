// Texts of copying and pasting cells.
import { countText } from "../../../../src/platform/text/plural.ts"

export const pasteBlock = {
  labelRow: (label: string, row: string) => `${label}, row ${row}`,
  atMostCharsCharacters: (mostChars: string) => `At most ${mostChars} characters are pasted at once.`,
  clipboardHoldsNoText: "The clipboard holds no text.",
  itIsNotEdited: "it is not edited",
  paste: "Paste",
  rowRow: (row: string) => `Row ${row}`,
  thereIsNoColumn: "there is no column for it",
  pasted: "pasted",
  newRecordNeedsMissing: (missing: string) => `a new record needs ${missing}`
} as const

export const pasteTargets = {
  atMostRows: (mostRows: string, mostColumns: number, height: string, width: number) =>
    `At most ${mostRows} rows and ${mostColumns} columns are changed at once; these are ${height} and ${width}.`
} as const

export const readPaste = {
  itIsCalculated: "it is calculated",
  itNeedsAValue: "it needs a value",
  filesAreNotPasted: "files are not pasted"
} as const

export const report = {
  records: (records: number) => countText(records, "record", "records"),
  cells: (cells: number) => countText(cells, "cell", "cells"),
  restOfCellsDoneOther: (rest: string, cells: string, done: string, otherReasons: string) =>
    `${rest} of ${cells} ${done}; ${otherReasons} did not fit.`,
  newRecords: (newRecords: number) => countText(newRecords, "new record", "new records")
} as const
