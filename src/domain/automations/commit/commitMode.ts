// Decides which steps share a transaction, and with what (docs/architecture/runs.md, "How runs share transactions"). No other file decides that.
import { after } from "../model/Plan.ts"
import type { StepRuntime } from "../model/Step.ts"
import { answers, isPlain, type RunContext, type RunStep } from "../run/RunContext.ts"
import type { Commit } from "../run/RunRow.ts"
import { isBare } from "../run/StepOutput.ts"
import type { Change } from "./Committer.ts"

/** Most steps whose commit waits for the run's next one. */
const DEFERRED_AT_MOST = 50
/** Longest JSON of values that Postgres takes however they are nested: a commit that it refuses would fail a later step. */
const DEFERRED_CHARS = 8_192

/**
 * Mode in which a step is committed:
 * - `alone`: a transaction, or a statement, of its own.
 * - `grouped`: with steps of other plain runs that are ready at about the same time. A step without effect is deferred to the run's next
 * commit (`isDeferrable`).
 * - `chunked`: with the following steps of the same durable run.
 */
export type CommitMode = "alone" | "grouped" | "chunked"

/** Returns the mode in which the end of a run is committed, if no step ends it. */
export const endMode = (context: RunContext): CommitMode => (isPlain(context) ? "grouped" : "alone")

/** @param kind how the step's type runs; undefined: the executor decides the step itself */
export const commitMode = ({ context, cursor, node }: RunStep, kind: StepRuntime["kind"] | undefined): CommitMode => {
  // A step that is not `prepared` may act for any length of time inside its transaction and would delay the others of its group.
  if (isPlain(context)) return kind === undefined || kind === "prepared" ? "grouped" : "alone"
  if (kind === "each") return "alone"
  switch (node.kind) {
    case "branch":
      return "chunked"
    case "loop":
      // The start of a loop reads the whole collection, however large.
      return cursor.turn === undefined ? "alone" : "chunked"
    case "database":
      // The end of a run is never part of a chunk.
      return after(node, cursor.iteration) !== null || answers(context) ? "chunked" : "alone"
    default:
      return "alone"
  }
}

/**
 * True if the output of a plain run's step, whose effect is its values alone, may wait for the run's next commit.
 * @param atMostMillis time that the steps may have taken in all
 */
export const isDeferrable = (
  { deferredCommits }: RunContext,
  { gathered }: Change,
  { answer, ending, executedMs, lazy, logs, outputs, variables }: Commit,
  atMostMillis: number
): boolean =>
  // The code behind the commit of a cancelled step finds the cancellation in the run's row.
  !logs.some(({ status }) => status === "cancelled") &&
  answer === null &&
  ending === null &&
  lazy !== null &&
  (gathered === undefined || isBare(gathered)) &&
  deferredCommits.length < DEFERRED_AT_MOST &&
  deferredCommits.reduce((sum, one) => sum + one.executedMs, executedMs) < atMostMillis &&
  JSON.stringify([outputs, variables]).length <= DEFERRED_CHARS
