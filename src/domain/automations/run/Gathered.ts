// What a step gathers while it runs: committed with it, thrown away when it fails, gathered anew when its transaction is repeated.
import type { AutomationCall, LogMessage, Step } from "../model/Step.ts"
import type { StoredOutput } from "./RunRow.ts"
import type { VariableRow } from "./runData.ts"

export interface Gathered {
  readonly variables: Array<VariableRow>
  /** What its variables hold where it fails and the run goes on. */
  readonly onFailure: Array<VariableRow>
  readonly outputs: Array<StoredOutput>
  readonly calls: Array<AutomationCall>
  readonly pages: Array<Parameters<Step["page"]>[0]>
  redirect: string | null
  readonly messages: Array<LogMessage>
  readonly inputs: Map<string, unknown>
  readonly results: Map<string, unknown>
  readonly secrets: Set<string>
  /** Inputs that are cut and redacted already. */
  shown: Readonly<Record<string, unknown>>
  about: number | null
}

export const newGathered = (): Gathered => ({
  variables: [],
  onFailure: [],
  outputs: [],
  calls: [],
  pages: [],
  redirect: null,
  messages: [],
  inputs: new Map(),
  results: new Map(),
  secrets: new Set(),
  shown: {},
  about: null
})

/**
 * A step is told in full even when its effect is rolled back; what it published goes with the effect, but for what it has said of its
 * failure itself.
 */
export const onlyLog = (gathered: Gathered): Gathered => ({
  ...gathered,
  variables: [],
  outputs: [],
  calls: [],
  pages: [],
  redirect: null
})

const lists = ({ calls, messages, onFailure, outputs, pages, variables }: Gathered) =>
  [variables, onFailure, outputs, calls, pages, messages] as const

/** How much is gathered before a transaction begins. */
export const sizesOf = (gathered: Gathered): ReadonlyArray<number> => lists(gathered).map((list) => list.length)

/** Before a repeat of the transaction. */
export const rewind = (gathered: Gathered, sizes: ReadonlyArray<number>): void => {
  for (const [index, list] of lists(gathered).entries()) list.length = sizes[index]!
  gathered.redirect = null
}
