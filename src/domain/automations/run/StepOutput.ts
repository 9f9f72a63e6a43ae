// Values and messages that a step collects while it runs. They are committed with the step, dropped when it fails, and collected again when
// its transaction is repeated.
import type { RunAnswer } from "../model/RunAnswer.ts"
import type { AutomationCall, LogMessage, Step } from "../model/Step.ts"
import type { StoredOutput } from "./RunRow.ts"
import type { VariableRow } from "./runData.ts"

export interface StepOutput {
  readonly variables: Array<VariableRow>
  /** Values of its variables for the case that it fails and the run continues. */
  readonly onFailure: Array<VariableRow>
  readonly outputs: Array<StoredOutput>
  readonly calls: Array<AutomationCall>
  readonly pages: Array<Parameters<Step["page"]>[0]>
  redirect: string | null
  /** Answer to the request that waits for the run. */
  answer: RunAnswer | null
  readonly messages: Array<LogMessage>
  readonly inputs: Map<string, unknown>
  readonly results: Map<string, unknown>
  readonly secrets: Set<string>
  /** Inputs that are already cut and redacted. */
  shown: Readonly<Record<string, unknown>>
  about: number | null
}

export const newStepOutput = (): StepOutput => ({
  variables: [],
  onFailure: [],
  outputs: [],
  calls: [],
  pages: [],
  redirect: null,
  answer: null,
  messages: [],
  inputs: new Map(),
  results: new Map(),
  secrets: new Set(),
  shown: {},
  about: null
})

/**
 * Keeps what the log shows. A failed step is logged in full although its effect is rolled back. Its variables, outputs, calls and pages are
 * dropped with the effect; `onFailure` stays.
 */
export const onlyLog = (gathered: StepOutput): StepOutput => ({
  ...gathered,
  variables: [],
  outputs: [],
  calls: [],
  pages: [],
  redirect: null,
  answer: null
})

/** True if it leaves nothing beside the rows of its run (commit/runCommits.ts). */
export const isBare = ({ calls, pages, redirect }: StepOutput): boolean =>
  calls.length === 0 && pages.length === 0 && redirect === null

const lists = ({ calls, messages, onFailure, outputs, pages, variables }: StepOutput) =>
  [variables, onFailure, outputs, calls, pages, messages] as const

/** Lengths of the lists before a transaction begins, for `rewind`. */
export const sizesOf = (gathered: StepOutput): ReadonlyArray<number> => lists(gathered).map((list) => list.length)

/** Drops what a transaction has added, before the transaction is repeated. */
export const rewind = (gathered: StepOutput, sizes: ReadonlyArray<number>): void => {
  for (const [index, list] of lists(gathered).entries()) list.length = sizes[index]!
  gathered.redirect = null
  gathered.answer = null
}
