// Texts of the layouts of a view, of their cards, and of the form that adds records.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const addDialog = {
  newItemName: (itemName: string) => `New ${itemName}`,
  add: "Add",
  addARecord: "Add a record"
} as const

export const card = {
  actionsOnTitle: (title: string) => `Actions on ${title}`
} as const

export const formPage = {
  newRecord: "The new record",
  add: "Add",
  added: "Added",
  wasAddedTo: (link: ReactNode, name: string) => nodes`${link} was added to ${name}.`,
  addAnother: "Add another",
  form: "Form",
  newItemName: (itemName: string) => `New ${itemName}`,
  apps: "Apps",
  app: "App",
  youMayNotAddRecords: "You may not add records here",
  youMayLookAtThose: "You may look at those that are there.",
  loadingTheAppFailed: "Loading the app failed.",
  loadingTheViewFailed: "Loading the view failed."
} as const

export const layoutArea = {
  boardNeedsAStatus: "A board needs a status or a single choice",
  itsColumnsAreTheOptions: "Its columns are the options of that field.",
  calendarNeedsADate: "A calendar needs a date",
  itShowsRecords: "It shows records on the days of that field."
} as const

export const layoutBar = {
  saveLayoutToTheView: "Save layout to the view",
  layoutWasNotSaved: "The layout was not saved.",
  columnsBy: "Columns by",
  startsOn: "Starts on",
  daysBy: "Days by",
  endsOn: "Ends on",
  noEnd: "No end",
  pictureFrom: "Picture from"
} as const

export const layoutSwitch = {
  words: {
    table: "Table",
    board: "Board",
    calendar: "Calendar",
    gallery: "Gallery"
  },
  layout: "Layout",
  form: "Form"
} as const

export const useCardMenu = {
  actionsOnTheRecord: "Actions on the record"
} as const
