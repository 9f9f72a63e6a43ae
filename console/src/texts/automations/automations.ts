// Texts of automations: the table, a page of one, its flow, its states and actions.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const automationPage = {
  pause: "Pause",
  activate: "Activate",
  itWasNotPaused: "It was not paused.",
  itWasNotActivated: "It was not activated.",
  whatItDoes: "What it does",
  automation: "Automation",
  automations: "Automations",
  edit: "Edit",
  itsRuns: "Its runs",
  itsVersions: "Its versions",
  itsInboundAddressHasRefused: (count: number, firstAt: string, lastAt: string) =>
    plural(count, {
      one: `Its inbound address has refused ${count} request since ${firstAt} UTC, the last one at ${lastAt}: the sender was not verified. Compare the secret and the kind of verification with those of the sender.`,
      other: `Its inbound address has refused ${count} requests since ${firstAt} UTC, the last one at ${lastAt}: the sender was not verified. Compare the secret and the kind of verification with those of the sender.`
    }),
  definition: "Definition",
  definitionAsJson: "The definition as JSON",
  loadingTheAutomationFailed: "Loading the automation failed."
} as const

export const automationTable = {
  never: "Never",
  failedOfTheLastSum: (failed: number, sum: number) => `${failed} of the last ${sum} runs failed`,
  edit: "Edit",
  duplicate: "Duplicate",
  pause: "Pause",
  activate: "Activate",
  tags: "Tags",
  export: "Export",
  delete: "Delete",
  itWasNotDone: "It was not done.",
  selectedAutomations: "Selected automations",
  countSelected: (count: number) => `${count} selected`,
  clearSelection: "Clear selection",
  selectAll: "Select all",
  actions: "Actions",
  select: (name: string) => `Select ${name}`,
  actionsOf: (name: string) => `Actions of ${name}`,
  deleteAutomations: (count: number, name: string) =>
    plural(count, { one: `Delete ${name}?`, other: `Delete ${count} automations?` })
} as const

export const automationsPage = {
  findAnAutomation: "Find an automation",
  automations: "Automations",
  whatHappensByItself: "What happens by itself when records change, dates arrive or somebody calls.",
  import: "Import",
  newAutomation: "New automation",
  state: "State",
  anyState: "Any state",
  app: "App",
  anyApp: "Any app",
  tag: "Tag",
  anyTag: "Any tag",
  totalFound: (total: number) => `${total} found`,
  noAutomationIsLikeThat: "No automation is like that",
  noAutomationsYet: "No automations yet",
  adminsOfAWorkspaceBuild: "Admins of a workspace build its automations.",
  makeTheFirstOneOrImport: (makeTheFirstOne: ReactNode, importOneFromAFile: ReactNode) =>
    nodes`${makeTheFirstOne}, or ${importOneFromAFile}.`,
  makeTheFirstOne: "Make the first one",
  importOneFromAFile: "import one from a file",
  firstCountOfTotal: (count: string, total: ReactNode) =>
    nodes`The first ${count} of ${total} are sorted. Find fewer by name, app, tag or state.`,
  loadingAutomationsFailed: "Loading automations failed.",
  showMoreAutomations: "Show more automations",
  loadingMoreAutomationsFailed: "Loading more automations failed."
} as const

export const flow = {
  switchedOff: "· switched off",
  otherwise: "Otherwise",
  onlyIfCondition: (condition: string) => `Only if ${condition}`,
  itHasNoStepsYet: "It has no steps yet."
} as const

export const moreActions = {
  runsThatAreUnderWay: "Runs that are under way end. Their history and links go with it. This cannot be undone.",
  more: "More",
  itWasNotDone: "It was not done.",
  actionsOf: (name: string) => `Actions of ${name}`,
  duplicate: "Duplicate",
  delete: "Delete",
  deleteQuestion: (name: string) => `Delete ${name}?`
} as const

export const ownerLost = {
  itsOwnerIsNoSave: (itsOwnerIsNo: ReactNode) =>
    nodes`${itsOwnerIsNo} Save it to become its owner: its runs then have your rights.`,
  itsOwnerIsNoLonger: "Its owner is no longer an admin of this workspace, so it cannot run.",
  saveAsItsOwner: "Save as its owner",
  itWasNotSaved: "It was not saved."
} as const

export const pausedForFailures = {
  itWasPaused: (message: string, lastFailedRun: ReactNode) => nodes`It was paused: ${message} ${lastFailedRun}`,
  lastFailedRun: "Last failed run",
  fixItsStepsAndSave: "Fix its steps and save them, or activate it as it is. Either starts the count again."
} as const

export const useAutomationActions = {
  doneWords: { pause: "paused", activate: "activated", delete: "deleted", tag: "updated" },
  wasNotDoneWordMessage: (name: ReactNode, doneWord: string, message: string) =>
    nodes`${name} was not ${doneWord}: ${message}`
} as const
