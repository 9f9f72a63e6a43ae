// Progress of a step over a collection, as its ledger row stores it, and the records in its log entry: the first ones in full, and the
// first failures (developer-api.md 7.6, 7.11).
import type { LogMessage, StepFailed } from "../model/Step.ts"
import { logValues } from "../run/logText.ts"
import type { StepOutput } from "../run/StepOutput.ts"
import type { NextTry } from "../run/stepRetries.ts"

export interface Progress {
  readonly size: number
  /** Finished targets. */
  readonly done: number
  /** Target that an outside step has begun. */
  readonly begun?: number
  /** Number of times that it has begun anew, because the former executions ended without a result. */
  readonly anew?: number
  readonly failed: number
  /** Error messages of the first failures, for the step's error. */
  readonly failures?: ReadonlyArray<string>
  readonly messages: ReadonlyArray<LogMessage>
  /** Logged values: the step's inputs, and those of some of its records. */
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly shown?: ReadonlyArray<Shown>
  readonly tookMs?: number
  readonly attempts?: number
  /** Failed attempts of the present record. */
  readonly tried?: number
}

/** Record with the inputs and outputs of its execution. */
export interface Shown {
  readonly record_id: number
  readonly inputs: Readonly<Record<string, unknown>>
  readonly outputs: Readonly<Record<string, unknown>>
}

/** Result of executing some of the targets. */
export type Worked = Pick<Progress, "failed" | "failures" | "messages" | "shown"> & {
  /** Set if the record failed and is tried again. */
  readonly again?: { readonly error: StepFailed; readonly next: NextTry }
}

const MESSAGES_KEPT = 100
export const SHOWN_AT_MOST = 3
/** Maximum of characters from a record's error in the step's error. */
const FAILURE_CHARS = 300

export const failureText = (text: string) =>
  text.length > FAILURE_CHARS ? `${text.slice(0, FAILURE_CHARS).toWellFormed()}…` : text

export const begunWith = (targets: ReadonlyArray<number>, { inputs, messages, secrets }: StepOutput): Progress => ({
  size: targets.length,
  done: 0,
  failed: 0,
  messages: [...messages],
  inputs: logValues(inputs, secrets)
})

/** Marks the next target as begun, or as begun anew. */
export const beginning = (at: Progress): Progress => {
  const isRepeated = at.begun === at.done
  const repeats = isRepeated || (at.tried ?? 0) > 0 ? 1 : 0
  return { ...at, begun: at.done, anew: isRepeated ? (at.anew ?? 0) + 1 : 0, attempts: (at.attempts ?? 1) + repeats }
}

/** Result if none of the records is executed. */
export const refused = (at: Progress, ids: ReadonlyArray<number>, { message }: StepFailed): Worked => {
  const texts = ids.map((id) => `Record ${id}: ${message}`)
  return {
    failed: ids.length,
    failures: at.failed < SHOWN_AT_MOST ? texts.map(failureText) : [],
    messages: texts.map((message) => ({ message, level: "error" })),
    shown: []
  }
}

export const advanced = (at: Progress, targets: number, worked: Worked, tookMs: number): Progress => ({
  size: at.size,
  done: at.done + targets,
  failed: at.failed + worked.failed,
  failures: [...(at.failures ?? []), ...(worked.failures ?? [])],
  messages: [...at.messages, ...worked.messages].slice(0, MESSAGES_KEPT),
  inputs: at.inputs ?? {},
  shown: [...(at.shown ?? []), ...(worked.shown ?? [])],
  tookMs: (at.tookMs ?? 0) + tookMs,
  attempts: at.attempts ?? 1
})

/** Adds failures that became known later, as of runs that were called for the records. */
export const withFailures = (at: Progress, failures: ReadonlyArray<string>): Progress => ({
  ...at,
  failed: at.failed + failures.length,
  failures: [...(at.failures ?? []), ...failures.map(failureText)].slice(0, SHOWN_AT_MOST),
  messages: [...at.messages, ...failures.map((message): LogMessage => ({ message, level: "error" }))].slice(
    0,
    MESSAGES_KEPT
  )
})

/** Inputs for the step's log entry; they are already cut. */
export const shownOf = ({ inputs = {}, shown = [], size }: Progress): Readonly<Record<string, unknown>> => {
  if (shown.length === 0) return inputs
  return { ...inputs, records: size > shown.length ? [...shown, `… (cut, ${size} records in all)`] : shown }
}

export const failureOf = ({ failed, failures = [], size }: Progress): string => {
  const more = failed > failures.length && failures.length > 0 ? "; …" : ""
  return [`${failed} of ${size} records failed.`, failures.join("; ") + more].join(" ").trim()
}
