// Words for the status of runs and the reasons that they wait.
import type { AnswerOf, ItemOf } from "@millrace/client"
import { runWords as texts } from "../../texts/runs/runs.ts"

export type Run = ItemOf<"automationRuns.list">
export type RunWithLogs = AnswerOf<"automationRuns.get">["automation_run"]
export type Status = Run["status"]
type Waiting = NonNullable<Run["waiting"]>["why"]

export const statuses: Readonly<Record<Status, string>> = texts.statuses

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

export const waits: Readonly<Record<Waiting, string>> = texts.waits

/** Words for the status of a loop's item: alone, and after a number. */
const itemWords: Readonly<
  Record<
    AnswerOf<"automationRuns.loopItems">["shown"][number]["status"],
    { readonly word: string; readonly inside: string; readonly tone: "good" | "warn" | "bad" | "" }
  >
> = {
  failure: { word: texts.itemWords.failure.word, inside: texts.itemWords.failure.inside, tone: "bad" },
  in_progress: { word: texts.itemWords.in_progress.word, inside: texts.itemWords.in_progress.inside, tone: "warn" },
  cancelled: { word: texts.itemWords.cancelled.word, inside: texts.itemWords.cancelled.inside, tone: "" },
  success: { word: texts.itemWords.success.word, inside: texts.itemWords.success.inside, tone: "good" },
  skipped: { word: texts.itemWords.skipped.word, inside: texts.itemWords.skipped.inside, tone: "" },
  pending: { word: texts.itemWords.pending.word, inside: texts.itemWords.pending.inside, tone: "" }
}

/** Items that a run has not reached when it ends are never reached. */
export const itemWordsOf = (isRunOver: boolean): typeof itemWords =>
  isRunOver
    ? { ...itemWords, pending: { word: texts.notReached, inside: texts.notReachedInSentence, tone: "" } }
    : itemWords

export const isOver = (status: Status) => status === "completed" || status === "failed" || status === "cancelled"
