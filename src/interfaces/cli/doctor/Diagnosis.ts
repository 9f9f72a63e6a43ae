// Findings of `doctor`: the state of each thing it checks and, where that is wrong, what to do. A check that fails is a finding itself.
import { Cause, Duration, Effect } from "effect"

export interface Diagnosis {
  readonly area: string
  readonly what: string
  /** `warning`: works, and wants attention. `wrong`: somebody has to do something; the exit code is 1. */
  readonly state: "fine" | "warning" | "wrong"
  readonly summary: string
  readonly todo: string | null
}

export type CheckResult = Pick<Diagnosis, "state" | "summary" | "todo">

export const fine = (summary: string): CheckResult => ({ state: "fine", summary, todo: null })
export const warning = (summary: string, todo: string): CheckResult => ({ state: "warning", summary, todo })
export const wrong = (summary: string, todo: string): CheckResult => ({ state: "wrong", summary, todo })

const PATIENCE = Duration.seconds(20)
const SUMMARY_CHARS = 300

/** Levels of nested causes that are searched for a message. */
const CAUSES = 4
const NOBODYS = "An error occurred in Effect.tryPromise"

/** Describes an error briefly, by its innermost causes, which know best what went wrong. */
export const briefly = (cause: Cause.Cause<unknown>): string => {
  const causeMessages: Array<string> = []
  let error = Cause.squash(cause) as { readonly message?: unknown; readonly cause?: unknown } | undefined
  for (let depth = 0; error != null && depth < CAUSES; depth++) {
    if (typeof error.message === "string" && error.message !== "") causeMessages.push(error.message)
    error = error.cause as typeof error
  }
  const text = causeMessages.filter((one) => !one.startsWith(NOBODYS)).slice(-2)
  return (text.join(": ") || "unknown").replaceAll(/\s+/g, " ").slice(0, SUMMARY_CHARS)
}

/** Runs a check, for a while at most. @param todo if the check itself cannot be carried out */
export const check = <R>(
  area: string,
  what: string,
  effect: Effect.Effect<CheckResult, unknown, R>,
  todo: string
): Effect.Effect<Diagnosis, never, R> =>
  effect.pipe(
    Effect.timeout(PATIENCE),
    Effect.catchCause((cause) => Effect.succeed(wrong(`cannot be checked: ${briefly(cause)}`, todo))),
    Effect.map((result) => ({ area, what, ...result }))
  )
