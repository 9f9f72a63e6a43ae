// Texts of the page of records: filters, search by title, the trash, what an app offers.
import { plural } from "../../../../src/platform/text/plural.ts"

export const appActions = {
  settings: "Settings",
  trash: "Trash",
  import: "Import",
  newItemName: (itemName: string) => `New ${itemName}`
} as const

export const filterBar = {
  fieldThatIsGone: "a field that is gone",
  you: "you",
  user: (value: string) => `user ${value}`,
  filteredByCount: (count: number) => `filtered by ${count}`,
  sortedByLabel: (label: string) => `sorted by ${label}`,
  filter: "Filter",
  removeWords: (words: string) => `Remove: ${words}`,
  addACondition: "Add a condition"
} as const

export const filterForm = {
  whoeverLooks: (name: string) => `${name} (whoever looks)`,
  you: "You",
  value: "Value",
  choose: "Choose",
  thisAppHasNoFields: "This app has no fields to ask for.",
  addCondition: "Add condition"
} as const

export const recordGrid = {
  recordsWereNotGrouped: "The records were not grouped.",
  loadingRecordsFailed: "Loading records failed."
} as const

export const recordsPage = {
  totalRecords: (shownTotal: string, total: number, item: string) =>
    plural(total, { one: `${shownTotal} record of ${item}`, other: `${shownTotal} records` }),
  loadingRecordsFailed: "Loading records failed.",
  noRecordMatches: "No record matches",
  noRecordsYet: "No records yet",
  removeAConditionOrShorten: "Remove a condition or shorten the search to see more records.",
  recordsThatAreCreatedShow: "Records that are created show up here.",
  loadingTheViewFailed: "Loading the view failed.",
  app: "App",
  apps: "Apps",
  loadingTheAppFailed: "Loading the app failed."
} as const

export const titleSearch = {
  searchByTitle: "Search by title"
} as const

export const trashPage = {
  deleted: "deleted",
  itWasNotRestored: "It was not restored.",
  itWasNotDestroyed: "It was not destroyed.",
  restoreTitle: (title: string) => `Restore ${title}`,
  restore: "Restore",
  destroyTitle: (title: string) => `Destroy ${title}`,
  destroyTitleQuestion: (title: string) => `Destroy ${title}?`,
  destroyIt: "Destroy it",
  withItsCommentsFiles: "With its comments, files and history. Nothing brings it back.",
  apps: "Apps",
  app: "App",
  trash: "Trash",
  trashOf: (name: string) => `Trash of ${name}`,
  deletedRecordsAreDestroyedAfter:
    "Deleted records are destroyed after 30 days, unless the service is set up otherwise.",
  trashIsEmpty: "The trash is empty",
  deletedRecords: "Deleted records",
  loadingTheAppFailed: "Loading the app failed.",
  loadingTheTrashFailed: "Loading the trash failed.",
  showEarlierOnes: "Show earlier ones",
  loadingEarlierOnesFailed: "Loading earlier records failed."
} as const
