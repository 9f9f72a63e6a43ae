// Words of the grid: menus, groups, its look, the selection and what keys do.

export const gridMenus = {
  copy: "Copy",
  cut: "Cut",
  paste: "Paste",
  fillDown: "Fill down",
  clear: "Clear",
  del: "Del",
  openBesideTheGrid: "Open beside the grid",
  selectRecord: "Select record",
  duplicateRecord: "Duplicate record",
  deleteRecord: "Delete record",
  sortAscending: "Sort ascending",
  sortDescending: "Sort descending",
  filterByThisField: "Filter by this field",
  ungroup: "Ungroup",
  groupByThisField: "Group by this field",
  wider: "Wider",
  narrower: "Narrower",
  moveLeft: "Move left",
  moveRight: "Move right",
  unfreeze: "Unfreeze",
  freezeUpToHere: "Freeze up to here",
  hide: "Hide",
  editField: "Edit field"
} as const

export const groups = {
  noLabel: (label: string) => `No ${label}`,
  yes: "Yes",
  no: "No",
  deletedLabel: (label: string) => `Deleted ${label}`,
  showMoreGroupsLeft: (left: string) => `Show more groups (${left} left)`
} as const

export const look = {
  groupUnits: { day: "Day", month: "Month", year: "Year" }
} as const

export const selection = {
  heightByWidthCellsSelected: (height: string, width: string) => `${height} by ${width} cells selected`
} as const

export const useEditing = {
  edit: "Edit"
} as const

export const useGridMenus = {
  cell: "Cell",
  optionsOfLabel: (label: string) => `Options of ${label}`
} as const

export const useSheet = {
  thereIsNoConnection: "There is no connection to the service: do it again once it is back.",
  listIsLoading: "The list is loading: do it again when it is there.",
  recordsAreLoadedNow: "The records are loaded now: press Ctrl+C again.",
  cellsWordsCopied: (cellsWords: string) => `${cellsWords} copied.`,
  wordsCopied: (words: string) => `${words} copied.`,
  browserKeepsTheClipboard: "The browser keeps the clipboard from the page. Press Ctrl+V instead."
} as const
