// Texts of a run's page: its steps, log, loops, chain, and what may be done to it.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const runActions = {
  retries: {
    failed: { words: "The failed step. What is done is not repeated; the automation is taken as it was then." },
    mended: {
      words:
        "The failed step, by the automation as it is now. What is done is not repeated, if those steps are unchanged."
    },
    start: {
      words: "The start. Everything is done once more, by the automation as it is now, if its filter still matches."
    }
  },
  cancelThisRun: "Cancel this run?",
  whatItHasDoneStays:
    "What it has done stays done. No further step begins, and it cannot be taken up where it was, only retried.",
  itWaitsAtTheMoment: "It waits at the moment: that ends at once, and with it the run.",
  runsThatItHasCalled: "The runs that it has called and waits for are cancelled with it.",
  itWasNotCancelled: "It was not cancelled.",
  cancelTheRun: "Cancel the run",
  retryThisRun: "Retry this run",
  fromWhere: "From where",
  itWasNotRetried: "It was not retried.",
  retry: "Retry",
  cancel: "Cancel"
} as const

export const runChain = {
  itsChain: "Its chain",
  newestCountOfTotal: (count: number, total: string) => `The newest ${count} of ${total}.`,
  retriedBy: "Retried by:",
  runId: (id: string) => `Run ${id}`
} as const

export const runItem = {
  itemItem: (item: number, suffix: ReactNode) => nodes`Item ${item}${suffix}`,
  ofTotalLabel: (total: string, label: string) => ` of ${total}, ${label}`,
  nextThatFailed: "Next that failed",
  wholeRun: "The whole run",
  itsRecord: (link: ReactNode) => nodes`Its record: ${link}`,
  recordId: (recordId: number) => `record ${recordId}`,
  noStepHasWrittenAnything: "No step has written anything for this item."
} as const

export const runLog = {
  underWay: "under way",
  leftOut: "left out",
  whatWentInAndCame: "What went in and came out",
  in: "In",
  whatWentIn: "what went in",
  out: "Out",
  whatCameOut: "what came out",
  afterAWaitOfDuration: (duration: string) => `after a wait of ${duration}`,
  attempts: (attempts: number) => `${attempts} attempts`,
  itemIteration: (iteration: string) => `item ${iteration}`,
  recordId: (recordId: number) => `record ${recordId}`,
  loadingTheStepsFailed: "Loading the steps failed."
} as const

export const runLoops = {
  recordId: (recordId: number) => `record ${recordId}`,
  itemItemRecord: (item: number, record: string) => `Item ${item}: ${record}`,
  itemItem: (item: number) => `Item ${item}`,
  items: (count: number, shownCount: string) => plural(count, { one: "1 item", other: `${shownCount} items` }),
  whichItems: "Which items",
  allItems: "All items",
  itemsCouldNotBeLoaded: "The items could not be loaded.",
  showAllCountItems: (count: string) => `Show all ${count} items`
} as const

export const runPage = {
  runId: (id: string) => `run ${id}`,
  aboutThisRun: "About this run",
  status: "Status",
  app: "App",
  record: "Record",
  recordTriggeredOnRecordId: (triggeredOnRecordId: number) => `record ${triggeredOnRecordId}`,
  requested: "Requested",
  finished: "Finished",
  duration: "Duration",
  waitingTime: "Waiting time",
  retries: "Retries",
  causedBy: "Caused by",
  automation: "Automation",
  workflow: "Workflow",
  openInTemporal: "Open in Temporal",
  labelFailed: (label: string) => `“${label}” failed.`,
  whatToDoAbout: "What to do about a failed run",
  openTheStep: "Open the step with this run’s data",
  itStandsAtLabel: (label: string) => `It stands at “${label}”.`,
  itGoesOnTime: (time: ReactNode) => nodes`It goes on ${time}.`,
  run: "Run",
  runs: "Runs",
  loadingTheRunFailed: "Loading the run failed."
} as const

export const runSteps = {
  stepsOutsideOfLoops: "Steps outside of loops",
  steps: "Steps",
  whichSteps: "Which steps",
  outsideOfLoops: "Outside of loops",
  allSteps: "All steps",
  onlyWhatFailedFailures: (failures: string) => `Only what failed (${failures})`,
  allOfTheLog: "All of the log",
  nothingHasHappenedYet: "Nothing has happened yet."
} as const

export const stepBar = {
  beganAfterDurationTookDuration: (wait: string, length: string, suffix: string) =>
    `began after ${wait}, took ${length}${suffix}`,
  afterAWaitOfDuration: (duration: string) => `, after a wait of ${duration}`
} as const
