// Texts of the table of runs: filters, actions on many, jobs.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const automationPicks = {
  automations: "Automations",
  anyAutomation: "Any automation: a part of its name",
  automationOne: (one: number) => `Automation ${one}`
} as const

export const bulkActions = {
  acts: {
    cancel: {
      label: "Cancel",
      say: "Those that wait or run end before their next step. What they have done stays done."
    },
    retry: {
      label: "Retry",
      say: "Those that failed or were cancelled start once more, by their automations as they are now. One that was retried already is left out."
    },
    delete: {
      label: "Delete",
      say: "Those that are over are deleted with their logs. They cannot be brought back."
    }
  },
  labelRuns: (label: string) => `${label} runs`,
  runs: (count: number) => plural(count, { one: "1 run", other: `${count} runs` }),
  selectedRuns: "Selected runs",
  countSelected: (count: number, suffix: ReactNode) => nodes`${count} selected${suffix}`,
  asManyAsMayBe: ", as many as may be",
  selected: "selected",
  clearSelection: "Clear selection",
  selectAllRuns: (total: number) => plural(total, { one: "Select 1 run", other: `Select all ${total} runs` }),
  found: "found",
  allRuns: (total: number) => plural(total, { one: "1 run", other: `all ${total} runs` }),
  jobWasNotStarted: "The job was not started."
} as const

export const jobList = {
  kinds: {
    run_cancel: "Cancel runs",
    run_retry: "Retry runs",
    run_delete: "Delete runs",
    field_recalculate: "Calculate fields",
    record_index: "Index records"
  },
  states: {
    pending: { words: "Waiting to start" },
    running: { words: "Running" },
    completed: { words: "Completed" },
    failed: { words: "Failed" },
    cancelled: { words: "Cancelled" }
  },
  doneOfTotalStartedTime: (done: number, total: number, suffix: ReactNode, time: ReactNode) =>
    nodes`${done} of ${total}${suffix} · started ${time}`,
  cancelJob: "Cancel job",
  kindJobId: (kind: string | undefined, jobId: number) => `${kind}, job ${jobId}`,
  jobWasNotCancelled: "The job was not cancelled.",
  report: "Report",
  runId: (id: string) => `Run ${id}`,
  jobs: "Jobs"
} as const

export const runFilters = {
  findAPart: "Find a part of an error",
  status: "Status",
  anyStatus: "Any status",
  app: "App",
  anyApp: "Any app",
  recordCauseTime: (suffix: ReactNode) => nodes`Record, cause, time${suffix}`,
  showEverything: "Show everything",
  numberOfTheRecord: "Number of the record",
  causedByTheRun: "Caused by the run",
  from: "From",
  to: "To"
} as const

export const runTable = {
  selectRunIdOfAutomation: (id: string, automationName: string) => `Select run ${id} of ${automationName}`,
  retriesRetryOfRunId: (retryOfRunId: string) => `retries ${retryOfRunId}`,
  runs: "Runs",
  selectTheRunsBelow: "Select the runs below",
  automation: "Automation",
  status: "Status",
  app: "App",
  record: "Record",
  requested: "Requested",
  duration: "Duration",
  errorOrWhyItWaits: "Error, or why it waits"
} as const

export const runWords = {
  statuses: {
    pending: "Waiting to begin",
    running: "Running",
    completed: "Completed",
    failed: "Failed",
    cancelled: "Cancelled"
  },
  waits: {
    delay: "It waits because a step of it says so.",
    place: "It waits for a free concurrency slot: as many runs of the organization are under way as may be.",
    credits: "It waits for credits, which come back by the hour.",
    retry: "A step failed, and is tried again.",
    called_run: "It waits for the end of a run that it has called.",
    concurrency: "It waits for other runs of this automation, of which only so many may go on at once.",
    debounce: "It waits for further changes of the record, to begin once for all of them."
  },
  itemWords: {
    failure: { word: "Failed", inside: "failed" },
    in_progress: { word: "Under way", inside: "under way" },
    cancelled: { word: "Cancelled", inside: "cancelled" },
    success: { word: "Done", inside: "done" },
    skipped: { word: "Left out", inside: "left out" },
    pending: { word: "To come", inside: "to come" }
  },
  notReached: "Not reached",
  notReachedInSentence: "not reached"
} as const

export const runsPage = {
  runs: "Runs",
  whatAutomationsHaveDone: "What automations have done, and what they are at.",
  totalFound: (total: number | undefined) => `${total} found`,
  noRuns: "No runs",
  runsShowUpHere: "Runs show up here as soon as an automation is triggered. They are kept for 30 days.",
  loadingRunsFailed: "Loading runs failed.",
  showOlderRuns: "Show older runs",
  loadingOlderRunsFailed: "Loading older runs failed."
} as const
