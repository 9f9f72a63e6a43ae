// Texts of views: the list, the forms, what was changed and not saved.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const viewChanges = {
  saveView: "Save view",
  saveAsNewView: "Save as new view",
  showsTheView: "Shows the view as it is saved; until then this browser keeps your changes.",
  discardChanges: "Discard changes",
  viewWasChangedMeanwhile: (suffix: ReactNode) =>
    nodes`The view was changed meanwhile. Your changes are kept${suffix}.`,
  andSaveViewSaves: ", and Save view saves what you changed alone",
  viewWasNotSaved: "The view was not saved."
} as const

export const viewForms = {
  name: "Name",
  viewWasNotSaved: "The view was not saved.",
  privateNobodyElseSeesIt: "Private: nobody else sees it",
  saveAsAView: "Save as a view",
  itKeepsTheConditions: "It keeps the conditions, the order, the columns and the groups.",
  saveView: "Save view",
  theView: (name: string) => `The view ${name}`,
  rename: "Rename",
  whoSeesTheView: "Who sees the view was not changed.",
  itIsTheDefaultView: "It is the default view of the app, which cannot be deleted.",
  setAsDefault: "Set as default",
  deleteTheView: "Delete the view",
  deleteTheViewQuestion: (name: string) => `Delete the view ${name}?`,
  deleteIt: "Delete it",
  itsRecordsStay: "Its records stay. Automations that collect what it shows would find nothing more.",
  itWasNotMade: "It was not made the default.",
  itWasNotDeleted: "It was not deleted."
} as const

export const viewPicker = {
  deletedOrPrivateView: "Deleted or private view",
  default: " (default)",
  private: " (private)",
  view: "View",
  yourOwnConditions: "Your own conditions",
  allRecords: "All records",
  saveAsView: "Save as view",
  changeView: "Change view"
} as const
