// Texts of the grid: its head, rows, menus, find bar, and the bar of selected records.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const addRow = {
  newItemName: (itemName: string) => `+ New ${itemName}`
} as const

export const bulkBar = {
  selectedRecords: "Selected records",
  wordsSelected: (words: string, suffix: ReactNode) => nodes`${words} selected${suffix}`,
  mostAtOnce: ", the most at once",
  editAField: "Edit a field",
  duplicate: "Duplicate",
  delete: "Delete",
  clearSelection: "Clear selection",
  editWords: (words: string) => `Edit ${words}`
} as const

export const bulkEdit = {
  thereIsNoField: "There is no field to edit.",
  edit: "Edit",
  field: "Field",
  newValue: "New value",
  save: "Save"
} as const

export const confirmDelete = {
  wordsDeleted: (words: string, count: number) =>
    plural(count, {
      one: `${words} deleted. Undo (Ctrl+Z) restores it.`,
      other: `${words} deleted. Undo (Ctrl+Z) restores them.`
    }),
  deleteWords: (words: string) => `Delete ${words}?`,
  delete: "Delete",
  trashKeepsWhatIsDeleted: "The trash keeps what is deleted for 30 days."
} as const

export const findBar = {
  inTheFirstMostFound: (mostFoundRows: string) => ` in the first ${mostFoundRows} records`,
  atOfTotalBound: (at: string, total: string, bound: string) => `${at} of ${total}${bound}`,
  searching: "Searching…",
  searchFailed: "The search failed",
  nothingFoundBound: (bound: string) => `Nothing found${bound}`,
  findInTheGrid: "Find in the grid",
  previous: "Previous",
  next: "Next",
  close: "Close"
} as const

export const grid = {
  labelOfTitle: (label: string, title: string) => `${label} of ${title}`,
  edit: "Edit"
} as const

export const gridHead = {
  row: "Row",
  selectAllRecordsOf: (name: string) => `Select all records of ${name}`
} as const

export const gridReportNote = {
  close: "Close",
  andRestMore: (rest: string) => `and ${rest} more`
} as const

export const gridRow = {
  openTitleBesideTheGrid: (title: string) => `Open ${title} beside the grid`,
  selectTitle: (title: string) => `Select ${title}`
} as const

export const gridTable = {
  recordsOf: (name: string) => `Records of ${name}`,
  shortcutsKeyShowsAllShortcuts: (value: string, shortcutsKey: string) =>
    `${value} ${shortcutsKey} shows all shortcuts.`,
  arrowsMoveEnterEditsSpace: "Arrows move, Enter edits, Space opens the record.",
  arrowsMoveSpaceOpens: "Arrows move, Space opens the record."
} as const

export const groupHead = {
  addToLabel: (label: string) => `Add to ${label}`
} as const

export const headCell = {
  optionsOfLabel: (label: string) => `Options of ${label}`
} as const

export const lookButton = {
  heights: { short: "Short", medium: "Medium", tall: "Tall" },
  columns: "Columns",
  columnsHiddenCountHidden: (hiddenCount: number, hidden: ReactNode) => nodes`Columns (${hiddenCount}${hidden})`,
  hidden: "hidden",
  columnsAndRows: "Columns and rows",
  rowHeight: "Row height",
  groupBy: "Group by",
  none: "None",
  groupDatesBy: "Group dates by",
  fields: "Fields",
  thisBrowserKeepsThemUntil: "This browser keeps them until they are saved to a view.",
  showAll: "Show all",
  reset: "Reset"
} as const
