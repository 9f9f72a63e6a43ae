// Texts of the editor's canvas: cards of steps, their menus and tabs, adding one, keys.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const addStep = {
  flow: "Flow",
  mailAndDocuments: "Mail and documents",
  theRecord: "The record",
  collections: "Collections",
  codeAndRequests: "Code and requests",
  callsLinksAndPages: "Calls, links and pages",
  addAStep: "Add a step",
  findAStep: "Find a step",
  countKinds: (count: number) => `${count} kinds`,
  noKindOfStep: "No kind of step is called so."
} as const

export const flowCanvas = {
  zoomIn: "Zoom in",
  zoomInByKey: "Zoom in (+)",
  zoomOut: "Zoom out",
  zoomOutByKey: "Zoom out (-)",
  showTheWholeFlow: "Show the whole flow",
  showTheWholeFlowByKey: "Show the whole flow (0)",
  overviewOfTheFlow: "Overview of the flow"
} as const

export const flowList = {
  forEach: "For each",
  ifSo: "If so",
  otherwise: "Otherwise"
} as const

export const keys = {
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  showTheWholeFlow: "Show the whole flow",
  heldWhileDragging: "Held while dragging: pan over steps",
  keyboardShortcuts: "Keyboard shortcuts",
  editor: "Editor",
  inAText: "In a text: insert a value",
  everywhere: "Everywhere"
} as const

export const panel = {
  trigger: "Trigger",
  itBeginsWhen: "It begins when",
  chooseATrigger: "Choose a trigger",
  learnMore: "Learn more",
  goesOnOnlyIf: "Goes on only if",
  withoutAConditionItGoes: "Without a condition it goes on always.",
  theAutomation: "The automation",
  name: "Name",
  tags: "Tags",
  tagsAreSavedAtOnce: "They are saved at once and make no version.",
  whatItIsFor: "What it is for",
  timeZone: "Time zone",
  pauseAfterThisManyFailed: "Pause after this many failed runs in a row",
  emptyFailuresNeverPause:
    "Empty: failures never pause it. Its owner gets a mail when it is paused; it starts again when its steps are fixed and saved, or when it is activated."
} as const

export const plusButton = {
  addAStepAfter: (name: string) => `Add a step after ${name}`,
  otherwise: "otherwise",
  first: "first",
  addTheFirstStep: "Add the first step",
  addAStepBranchOf: (branch: string, name: string) => `Add a step ${branch} of ${name}`,
  inside: "inside"
} as const

export const stepCard = {
  aboutSwitchedOff: (about: string) => `${about} · switched off`,
  chooseATrigger: "Choose a trigger",
  trigger: "Trigger",
  always: "Always",
  onlyIfCondition: (condition: string) => `Only if ${condition}`,
  filter: "Filter",
  expand: "Expand",
  collapse: "Collapse",
  wordsC: (words: string) => `${words} (C)`,
  countInside: (count: number) => ` · ${count} inside`
} as const

export const stepData = {
  item: "Item",
  runRun: (run: string) => `Run ${run}`,
  fromBeforeYourLastChange: "From before your last change. Test again to see what comes of it.",
  itWasGivenNoValues: "It was given no values.",
  itGaveNoValues: "It gave no values.",
  itWasNotTested: "It was not tested.",
  nothingYet: (testAll: ReactNode, testThisStep: ReactNode, suffix: ReactNode) =>
    nodes`Nothing yet. ${testAll} shows what goes in and comes out of each step, ${testThisStep} of this one${suffix}.`,
  testAll: "Test all",
  testThisStep: "Test this step",
  ofALoopsStep: "; of a loop’s step all its items are shown by Test all"
} as const

export const stepForm = {
  retryOnlyAtCertainHours: "Retry only at certain hours",
  inTheAutomationsTimeZone: "In the automation's time zone. An attempt that falls outside waits until they begin.",
  hoursForFurtherAttempts: "Hours for further attempts",
  retryWhenAFaultMay: "Retry when a fault may pass",
  learnMore: "Learn more",
  withStepsForOtherwise: "With steps for “otherwise”",
  nameFailuresSwitchingOff: "Name, failures, switching off",
  nameOfTheStep: "Name of the step",
  continueTheRun: "Continue the run if this step fails",
  skipThisStepSwitchedOff: "Skip this step (switched off)"
} as const

export const stepResultBadge = {
  lengthItems: (length: number) => `, ${length} items`,
  fromBeforeYourLastChange: ", from before your last change"
} as const

export const stepTabs = {
  settings: "Settings",
  input: "Input",
  output: "Output",
  step: "Step",
  savesAndTestsThisStep: "Saves, and tests this step alone",
  publishAndTestThisStep: "Publish and test this step",
  testThisStep: "Test this step",
  thisStepFailed: (message: ReactNode) => nodes`This step failed: ${message}`
} as const

export const stepTools = {
  thisStep: "This step"
} as const
