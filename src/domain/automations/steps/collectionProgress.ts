// How far a step over a collection has come, as its ledger row says it, and what its log entry tells of its records: the first in full,
// and so the first that fail (developer-api.md 7.6, 7.11).
import type { LogMessage, StepFailed } from "../model/Step.ts"
import type { Gathered } from "../run/Gathered.ts"
import { logValues } from "../run/logText.ts"
import type { NextTry } from "../run/retries.ts"

export interface Progress {
  readonly size: number
  /** Targets done. */
  readonly done: number
  /** The target that an outside step has begun. */
  readonly begun?: number
  /** How often it has begun anew, since nothing came of it. */
  readonly anew?: number
  readonly failed: number
  /** What the first that failed say, for the step's error. */
  readonly failures?: ReadonlyArray<string>
  readonly messages: ReadonlyArray<LogMessage>
  /** As logged: what the step was begun with, and with what some of its records. */
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly shown?: ReadonlyArray<Shown>
  readonly tookMs?: number
  readonly attempts?: number
  /** Attempts of the record under way that have failed. */
  readonly tried?: number
}

/** What a record was worked on with, and what came of it. */
export interface Shown {
  readonly record_id: number
  readonly inputs: Readonly<Record<string, unknown>>
  readonly outputs: Readonly<Record<string, unknown>>
}

/** What came of some of the targets. */
export type Worked = Pick<Progress, "failed" | "failures" | "messages" | "shown"> & {
  /** The record is not done: it is tried again. */
  readonly again?: { readonly error: StepFailed; readonly next: NextTry }
}

const MESSAGES_KEPT = 100
export const SHOWN_AT_MOST = 3
/** Characters of a record's own error in the step's. */
const FAILURE_CHARS = 300

export const failureText = (text: string) =>
  text.length > FAILURE_CHARS ? `${text.slice(0, FAILURE_CHARS).toWellFormed()}…` : text

export const begunWith = (targets: ReadonlyArray<number>, { inputs, messages, secrets }: Gathered): Progress => ({
  size: targets.length,
  done: 0,
  failed: 0,
  messages: [...messages],
  inputs: logValues(inputs, secrets)
})

/** The next target is begun, or begun anew. */
export const beginning = (at: Progress): Progress => {
  const again = at.begun === at.done
  const repeats = again || (at.tried ?? 0) > 0 ? 1 : 0
  return { ...at, begun: at.done, anew: again ? (at.anew ?? 0) + 1 : 0, attempts: (at.attempts ?? 1) + repeats }
}

/** None of them is worked on. */
export const refused = (at: Progress, ids: ReadonlyArray<number>, { message }: StepFailed): Worked => {
  const told = ids.map((id) => `Record ${id}: ${message}`)
  return {
    failed: ids.length,
    failures: at.failed < SHOWN_AT_MOST ? told.map(failureText) : [],
    messages: told.map((message) => ({ message, level: "error" })),
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

/** What came of the records afterwards, as with runs that were called for them. */
export const withFailures = (at: Progress, failures: ReadonlyArray<string>): Progress => ({
  ...at,
  failed: at.failed + failures.length,
  failures: [...(at.failures ?? []), ...failures.map(failureText)].slice(0, SHOWN_AT_MOST),
  messages: [...at.messages, ...failures.map((message): LogMessage => ({ message, level: "error" }))].slice(
    0,
    MESSAGES_KEPT
  )
})

/** The inputs of the step's log entry; they are cut already. */
export const shownOf = ({ inputs = {}, shown = [], size }: Progress): Readonly<Record<string, unknown>> => {
  if (shown.length === 0) return inputs
  return { ...inputs, records: size > shown.length ? [...shown, `… (cut, ${size} records in all)`] : shown }
}

export const failureOf = ({ failed, failures = [], size }: Progress): string => {
  const more = failed > failures.length && failures.length > 0 ? "; …" : ""
  return [`${failed} of ${size} records failed.`, failures.join("; ") + more].join(" ").trim()
}
