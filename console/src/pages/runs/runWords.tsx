// Words for the status of runs and the reasons that they wait.
import type { AnswerOf, ItemOf } from "@millrace/client"

export type Run = ItemOf<"automationRuns.list">
export type RunWithLogs = AnswerOf<"automationRuns.get">["automation_run"]
export type Status = Run["status"]
type Waiting = NonNullable<Run["waiting"]>["why"]

export const statuses: Readonly<Record<Status, string>> = {
  pending: "Waiting to begin",
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled"
}

const tones: Readonly<Record<Status, string>> = {
  pending: "",
  running: "warn",
  completed: "good",
  failed: "bad",
  cancelled: ""
}

export const StatusTag = ({ status }: { readonly status: Status }) => (
  <span className={`tag ${tones[status]}`}>{statuses[status]}</span>
)

export const waits: Readonly<Record<Waiting, string>> = {
  delay: "It waits because a step of it says so.",
  place: "It waits for a free place: as many runs of the organization are under way as may be.",
  credits: "It waits for credits, which come back by the hour.",
  retry: "A step failed, and is tried again.",
  called_run: "It waits for the end of a run that it has called.",
  concurrency: "It waits for other runs of this automation, of which only so many may go on at once.",
  debounce: "It waits for further changes of the record, to begin once for all of them."
}

/** Words for the status of a loop's item: alone, and after a number. */
const itemWords: Readonly<
  Record<
    AnswerOf<"automationRuns.loopItems">["shown"][number]["status"],
    { readonly word: string; readonly inside: string; readonly tone: "good" | "warn" | "bad" | "" }
  >
> = {
  failure: { word: "Failed", inside: "failed", tone: "bad" },
  in_progress: { word: "Under way", inside: "under way", tone: "warn" },
  cancelled: { word: "Cancelled", inside: "cancelled", tone: "" },
  success: { word: "Done", inside: "done", tone: "good" },
  skipped: { word: "Left out", inside: "left out", tone: "" },
  pending: { word: "To come", inside: "to come", tone: "" }
}

/** Items that a run has not reached when it ends are never reached. */
export const itemWordsOf = (isRunOver: boolean): typeof itemWords =>
  isRunOver ? { ...itemWords, pending: { word: "Not reached", inside: "not reached", tone: "" } } : itemWords

export const isOver = (status: Status) => status === "completed" || status === "failed" || status === "cancelled"
