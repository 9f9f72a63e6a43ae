// Turns the outcome of an evaluation into its result, the script's fault, or the limit that it exceeded (developer-api.md 8).
import { Result, Schema } from "effect"
import type { Limits } from "../config/sandboxLimits.ts"
import type { LogLine, ScriptOutcome } from "./protocol.ts"
import { ResultText, ScriptError, ScriptResourceLimit } from "./Script.ts"
import type { WorkerLost } from "./ScriptProcess.ts"

/** A fault that has no place in the script. */
export const faultOf = (message: string, logs: ReadonlyArray<LogLine> = []) =>
  new ScriptError({ message, line: null, column: null, logs })

const TOLD = { cpu: "CPU time", wall: "wall time", memory: "memory" } as const

export const limitError = (which: "cpu" | "wall" | "memory", limits: Limits, logs: ReadonlyArray<LogLine>) => {
  const most = { cpu: `${limits.cpuMillis} ms`, wall: `${limits.wallMillis} ms`, memory: `${limits.memoryMiB} MiB` }[
    which
  ]
  return new ScriptResourceLimit({ which, message: `The script used more than its ${most} of ${TOLD[which]}`, logs })
}

export const errorOf = (
  outcome: Exclude<ScriptOutcome, { kind: "result" }>,
  limits: Limits,
  logs: ReadonlyArray<LogLine>
) =>
  outcome.kind === "limit"
    ? limitError(outcome.limit, limits, logs)
    : new ScriptError({ message: outcome.message, line: outcome.line, column: outcome.column, logs })

export const lossOf = ({ why }: WorkerLost, limits: Limits): ScriptError | ScriptResourceLimit =>
  why === "wrong"
    ? faultOf("The script's process answered what it may not and was ended")
    : limitError(why === "late" ? "wall" : "memory", limits, [])

const decodeResult = Schema.decodeUnknownResult(ResultText)

/** Decodes the result that the script environment made of a value. The process is untrusted. */
export const resultIn = (text: string, logs: ReadonlyArray<LogLine>) =>
  Result.mapError(decodeResult(text), () => faultOf("The result of the script cannot be read", logs))
