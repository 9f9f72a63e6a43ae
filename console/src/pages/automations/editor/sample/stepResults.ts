// Values that the steps of a flow were given and gave, read from the log of a run: of a step in loops each item, of a branch the list that it took.

import type { AnswerOf } from "@millrace/client"
import { branchesOf, flat, type Step, stepsIn } from "../model/steps.ts"

type LogEntry = AnswerOf<"automationRuns.log">["logs"][number]
type Values = Readonly<Record<string, unknown>>

export interface StepItem {
  /** 1-based item of each loop around it, such as `3`; empty outside of loops. */
  readonly item: string
  readonly status: LogEntry["status"]
  readonly inputs: Values
  readonly outputs: Values
  readonly messages: LogEntry["messages"]
  readonly millis: number | undefined
}
export interface StepResult {
  readonly run: string
  readonly status: LogEntry["status"]
  readonly items: ReadonlyArray<StepItem>
  /** True if the step, or one before it, was changed since. */
  readonly isStale: boolean
}

const valuesOf = (value: unknown): Values => (typeof value === "object" && value !== null ? (value as Values) : {})

const itemOf = ({ detail, iteration, messages, status }: LogEntry): StepItem => ({
  item: (iteration ?? []).map((index) => index + 1).join(", "),
  status,
  inputs: valuesOf(detail?.["inputs"]),
  outputs: valuesOf(detail?.["outputs"]),
  messages,
  millis: typeof detail?.["duration_ms"] === "number" ? detail["duration_ms"] : undefined
})

/** The last entry of each item: the earlier ones are attempts. */
const lastOfItems = (entries: ReadonlyArray<LogEntry>) => [
  ...new Map(entries.map((entry) => [JSON.stringify(entry.iteration ?? []), itemOf(entry)])).values()
]

const isWithin = (steps: ReadonlyArray<Step> | undefined, byStep: ReadonlyMap<string, ReadonlyArray<LogEntry>>) =>
  flat(steps ?? []).some(({ step }) => byStep.has(step.id))

/** A branch or loop leaves no entry of its own: what was done inside of it tells. */
const blockItem = (step: Step, byStep: ReadonlyMap<string, ReadonlyArray<LogEntry>>): StepItem | undefined => {
  const base: Omit<StepItem, "outputs"> = { item: "", status: "success", inputs: {}, messages: [], millis: undefined }
  if (step.type === "for_loop") {
    const iterations = new Set<string>()
    for (const { step: inner } of flat(stepsIn(step, "action_rows") ?? []))
      for (const { iteration } of byStep.get(inner.id) ?? []) iterations.add(JSON.stringify(iteration ?? []))
    return iterations.size === 0 ? undefined : { ...base, outputs: { items: iterations.size } }
  }
  const takenBranches = branchesOf(step.type).filter((branch) => isWithin(stepsIn(step, branch), byStep))
  if (takenBranches.length === 0) return undefined
  return {
    ...base,
    outputs: { took: takenBranches.map((branch) => (branch === "action_rows" ? "Then" : "Otherwise")).join(", ") }
  }
}

const worst = (items: ReadonlyArray<StepItem>): LogEntry["status"] =>
  (["failure", "in_progress", "cancelled", "success"] as const).find((status) =>
    items.some((item) => item.status === status)
  ) ?? "skipped"

/** @param stale ids of steps that were changed since, or stand behind one */
export const resultsOf = (
  steps: ReadonlyArray<Step>,
  { id: run, logs }: { readonly id: string; readonly logs: ReadonlyArray<LogEntry> },
  stale: ReadonlySet<string>
): ReadonlyMap<string, StepResult> => {
  const byStep = Map.groupBy(
    logs.filter(({ action_id }) => action_id !== null),
    ({ action_id }) => action_id!
  )
  return new Map(
    steps.flatMap((step) => {
      const block = branchesOf(step.type).length === 0 ? undefined : blockItem(step, byStep)
      const ownEntry = lastOfItems(byStep.get(step.id) ?? [])
      const items = ownEntry.length > 0 ? ownEntry : block === undefined ? [] : [block]
      return items.length === 0
        ? []
        : [[step.id, { run, status: worst(items), items, isStale: stale.has(step.id) }] as const]
    })
  )
}
