// Texts of the editor of automations: its bar, problems, preview, and the definition as text.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const definitionText = {
  definitionIsAMapping: "A definition is a mapping with trigger, filter and actions.",
  theDefinition: "The definition",
  definitionAsForm: (form: string) => `The definition as ${form}`,
  apply: "Apply",
  discardChanges: "Discard changes"
} as const

export const editor = {
  edit: (name: string) => `Edit ${name}`,
  automations: "Automations",
  flow: "Flow",
  form: "Form",
  done: "Done"
} as const

export const editorBar = {
  saving: "Saving",
  saved: "Saved",
  notPublishedYet: "Not published yet",
  notSavedYet: "Not saved yet",
  stateKeptInThisBrowser: (state: string) => `${state}, kept in this browser`,
  automation: "Automation",
  undo: "Undo",
  redo: "Redo",
  settings: "Settings",
  canvas: "Canvas",
  list: "List",
  jsonAndYaml: "JSON and YAML",
  keys: "Keys",
  pause: "Pause",
  save: "Save",
  publish: "Publish"
} as const

export const editorPage = {
  edit: "Edit",
  loadingTheAutomationFailed: "Loading the automation failed."
} as const

export const newAutomationPage = {
  newAutomation: "New automation",
  automations: "Automations",
  noAppsOfYours: "No apps of yours",
  automationBelongsToAnApp: "An automation belongs to an app, and admins of its workspace build it.",
  app: "App",
  name: "Name",
  itWasNotMade: "It was not made.",
  goOnToItsSteps: "Go on to its steps",
  loadingAppsFailed: "Loading apps failed."
} as const

export const preview = {
  preview: "Preview",
  previewOfTheDocument: "Preview of the document",
  theDocument: "The document",
  previewOfTheMail: "Preview of the mail",
  to: "To",
  subject: "Subject",
  theMessage: "The message",
  previewOfThePage: "Preview of the page",
  thePage: "The page"
} as const

export const problemList = {
  trigger: "Trigger",
  filter: "Filter",
  theAutomation: "The automation",
  errors: (errors: number) => plural(errors, { one: `${errors} error`, other: `${errors} errors` }),
  warnings: (warnings: number) => plural(warnings, { one: `${warnings} warning`, other: `${warnings} warnings` }),
  and: " and "
} as const

export const saveState = {
  youLeftChangesHereTime: (time: ReactNode, suffix: ReactNode) =>
    nodes`You left changes here ${time} that were not saved.${suffix}`,
  automationWasSavedBySomebody: " The automation was saved by somebody since.",
  discardThem: "Discard them",
  somebodyElseHasChangedIt: "Somebody else has changed it",
  wasSavedBySomebodyElse: (name: string) =>
    `${name} was saved by somebody else since you have opened it. Nothing of yours was saved. Each save stays among the revisions.`,
  takeTheirs: "Take theirs",
  saveMineOverIt: "Save mine over it",
  itWasNotSavedWhatIsWrong: (itWasNotSaved: ReactNode, suffix: ReactNode) =>
    nodes`${itWasNotSaved} What is wrong is marked in the flow.${suffix}`,
  itWasNotSaved: "It was not saved.",
  yourDraftIsKept: " Your draft is kept in this browser.",
  itWasNotPublishedWhatIsWrong: (itWasNotPublished: ReactNode) =>
    nodes`${itWasNotPublished} What is wrong is marked in the flow.`,
  itWasNotPublished: "It was not published.",
  itsStateWasNotChanged: "Its state was not changed."
} as const

export const upcomingTimes = {
  nextTimesAreNotKnown: "The next times are not known.",
  nextTimes: "Next times",
  nextTimesTimezone: (timezone: string) => `Next times (${timezone})`
} as const
