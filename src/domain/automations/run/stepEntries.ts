// What a step leaves: its ledger entry, and what it has gathered, cut down or taken back (decisions A1; developer-api.md 7.11).
import { type Cursor, iterationKey, type PlanNode } from "../model/Plan.ts"
import type { Gathered } from "./RunContext.ts"
import type { Ending, LedgerEntry, LogEntry } from "./RunRow.ts"

export const ledgerOf = (
  node: PlanNode,
  cursor: Cursor,
  state: LedgerEntry["state"],
  attempts: number,
  result: unknown
): LedgerEntry => ({
  path: node.path,
  iteration: iterationKey(cursor.iteration),
  action_id: node.action.id,
  state,
  attempts,
  result
})

export const cancelled: Ending = { status: "cancelled", failure_reason: null, error_message: null }

/** What ends a run beside its steps is an entry of its own. */
export const exceptionOf = (ending: Ending | null): ReadonlyArray<LogEntry> => {
  if (ending === null || ending.status === "completed") return []
  const failed = ending.status === "failed"
  const message = ending.error_message ?? "The run was cancelled."
  return [
    {
      type: "exception",
      status: failed ? "failure" : "cancelled",
      label: "Run",
      messages: [{ message, level: failed ? "error" : "info" }],
      action_id: null,
      record_id: null,
      detail: null
    }
  ]
}

/** A step is told in full even when its effect is rolled back; what it published goes with the effect. */
export const onlyLog = (gathered: Gathered): Gathered => ({
  ...gathered,
  variables: [],
  outputs: [],
  calls: [],
  pages: [],
  redirect: null
})

const lists = ({ calls, messages, outputs, pages, variables }: Gathered) =>
  [variables, outputs, calls, pages, messages] as const

/** How much is gathered before a transaction begins. */
export const sizesOf = (gathered: Gathered): ReadonlyArray<number> => lists(gathered).map((list) => list.length)

/** Before a repeat of the transaction. */
export const rewind = (gathered: Gathered, sizes: ReadonlyArray<number>): void => {
  for (const [index, list] of lists(gathered).entries()) list.length = sizes[index]!
  gathered.redirect = null
}

/** The last of each key. */
export const lastOf = <A>(rows: ReadonlyArray<A>, key: (row: A) => string): ReadonlyArray<A> =>
  rows.length < 2 ? rows : [...new Map(rows.map((row) => [key(row), row])).values()]
