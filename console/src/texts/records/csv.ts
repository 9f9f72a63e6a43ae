// Texts of the import and export of CSV files.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const exportCsv = {
  exportCsv: "Export CSV",
  stopTheExport: "Stop the export",
  doneOfTotal: (done: string, total: string) => `${done} of ${total}`,
  exportWasInterrupted: "The export was interrupted."
} as const

export const formatForm = {
  encoding: "Encoding",
  separator: "Separator",
  decimalMeans: "1,234 means",
  dateMeans: "3/4/2026 means",
  fourthOfMarch: "4 March 2026",
  thirdOfApril: "3 April 2026",
  timesWithoutAZone: "Times without a zone are in"
} as const

export const importJob = {
  endWords: { completed: "Imported.", failed: "The import failed.", cancelled: "The import was cancelled." },
  recordsCreated: (created: number) => plural(created, { one: "record created", other: "records created" }),
  updated: "updated",
  rowsLeftOut: (skipped: number) => plural(skipped, { one: "row left out", other: "rows left out" }),
  valuesLeftEmpty: (cellsLeftEmpty: number) =>
    plural(cellsLeftEmpty, { one: "value left empty", other: "values left empty" }),
  optionsAdded: (optionsAdded: number) => plural(optionsAdded, { one: "option added", other: "options added" }),
  report: "Report",
  lineId: (id: string) => `Line ${id}: `,
  moreLines: "more lines",
  downloadTheRows: "Download the rows that were left out",
  importIsNotKnownAny: "The import is not known any more.",
  import: "Import",
  doneOfAboutTotalRows: (done: string, total: string) =>
    `${done} of about ${total} rows. It goes on when this page is closed.`,
  importWasNotCancelled: "The import was not cancelled.",
  openRecords: "Open records",
  importAnotherFile: "Import another file",
  cancelImport: "Cancel import"
} as const

export const importOptions = {
  options: "Options",
  updateBy: "Update by",
  nothingEachRow: "Nothing: each row is a new record",
  valueThatDoesNotFit: "A value that does not fit",
  isLeftEmptyAndReported: "is left empty and reported",
  leavesItsRowOut: "leaves its row out",
  columnThatGoes: "A column that goes to a unique field can update the records that have its values.",
  addMissingOptions: (missing: string, suffix: ReactNode) => nodes`Add missing options: ${missing}${suffix}`,
  andCountMore: (count: number) => ` and ${count} more`
} as const

export const importPage = {
  file: "File",
  csvFile: "CSV file",
  itsFirstLineNames: "Its first line names the columns. No record is written before you press Import.",
  upload: "Upload",
  fileWasNotUploaded: "The file was not uploaded.",
  apps: "Apps",
  app: "App",
  import: "Import",
  importInto: (name: string) => `Import into ${name}`,
  youMayNotAddRecords: "You may not add records here",
  youMayLookAtThose: "You may look at those that are there.",
  loadingTheAppFailed: "Loading the app failed."
} as const

export const importSetup = {
  columnNumber: (number: number) => `Column ${number}`,
  fileCouldNotBeRead: "The file could not be read.",
  format: "Format",
  import: "Import",
  rowsSkippedOfTheFirst: (rowsSkipped: string, rows: string) =>
    `${rowsSkipped} of the first ${rows} rows would be left out`,
  about: "About ",
  rows: (rowsEstimated: number) => plural(rowsEstimated, { one: "row", other: "rows" }),
  firstRowsWereLookedAt: (rows: string) => `; the first ${rows} were looked at`,
  importDidNotBegin: "The import did not begin."
} as const

export const lineProblems = {
  lineLineMessage: (line: number, message: string) => `Line ${line}: ${message}`
} as const

export const mappingForm = {
  typeWords: {
    single_text: "text",
    multi_text: "formatted text",
    number: "number",
    single_date: "date",
    single_category: "choice",
    multi_email: "email",
    multi_phone: "phone",
    multi_link: "link"
  },
  leftOut: "Left out",
  newField: "New field",
  fitsFit: (fits: string, count: number, suffix: ReactNode) =>
    nodes`${fits} fit${plural(count, { one: "s", other: "" })}${suffix}`,
  empty: (empty: string) => `, ${empty} empty`,
  doNotFit: (misfits: number, shownMisfits: string) =>
    plural(misfits, { one: "1 does not fit", other: `${shownMisfits} do not fit` }),
  columns: "Columns",
  columnNumber: (number: number) => `Column ${number}`,
  columnGoesTo: (column: string) => `${column} goes to`,
  nowhere: "Nowhere",
  newFieldTypeWord: (typeWord: string | undefined) => `New field (${typeWord})`,
  severalValuesStand: (whatACellMeans: ReactNode) =>
    nodes`Several values stand with a semicolon between; one that has a semicolon itself stands in quotes. A related record is named by its title or its id. Files are not imported; they are added at the record. ${whatACellMeans}`,
  whatACellMeans: "What a cell means"
} as const
