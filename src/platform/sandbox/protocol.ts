// Shapes of the messages between the service and a script process, with which both sides decode (developer-api.md 8.4, decisions P9). The
// limits of the script at hand bound what the service reads.

import type { Limits } from "../config/sandboxLimits.ts"
import {
  amount,
  flag,
  list,
  nullable,
  one,
  type Shaped,
  struct,
  text,
  variants,
  whole
} from "../confinement/messageShape.ts"

const MIB = 1024 * 1024
/** Longest text that the service itself writes: its own limits bound it further. */
const OURS = 1024 * MIB
const most = whole(0, Number.MAX_SAFE_INTEGER)

const LimitsShape = struct({
  cpuMillis: most,
  wallMillis: most,
  memoryMiB: most,
  resultBytes: most,
  logBytes: most,
  sourceBytes: most,
  httpCalls: most,
  apiCalls: most,
  concurrentCalls: most,
  httpResponseBytes: most
})

const Init = struct({
  type: one("init"),
  code: text(OURS),
  memoryMiB: most,
  /** Scripts that may share an isolate, each in a context of its own. */
  scriptsPerIsolate: most
})
const Run = struct({
  type: one("run"),
  mode: one("sync", "async"),
  source: text(OURS),
  /** JSON of the settings that realm/index.ts reads. */
  settings: text(OURS),
  limits: LimitsShape
})
/** Rows of one trip. */
export const ROWS_MOST = 500
/** Characters of rows in one trip, and of results in its answer; the rest is asked for again. */
export const MANY_CHARS = 8 * MIB
const RunMany = struct({
  type: one("many"),
  source: text(OURS),
  names: list(text(OURS), 100_000),
  /** JSON: the values of the first names, which are the same in all rows. */
  shared: text(OURS),
  /** JSON: a list of value lists, in the order of the names behind these. */
  rows: text(OURS),
  limits: LimitsShape
})
const CallReply = struct({
  type: one("reply"),
  call: most,
  ok: flag,
  /** JSON of the answer, or the message of the error. */
  text: text(OURS)
})

export const toRunner = variants("type", { init: Init, run: Run, many: RunMany, reply: CallReply })

export type Init = Shaped<typeof Init>
export type Run = Shaped<typeof Run>
export type RunMany = Shaped<typeof RunMany>
export type CallReply = Shaped<typeof CallReply>
export type ToRunner = Shaped<typeof toRunner>

/** Most characters of a result: its variables, each with `resultBytes`, and what is around them. */
export const resultChars = (limits: Limits) => 20 * limits.resultBytes + 4096
export const MESSAGE_CHARS = 2000

const LogLine = (limits: Limits) =>
  struct({ level: one("log", "info", "warn", "error"), message: text(limits.logBytes + 64) })
const outcomes = (limits: Limits) => ({
  result: struct({ kind: one("result"), /** The JSON that realm/index.ts made. */ text: text(resultChars(limits)) }),
  limit: struct({ kind: one("limit"), limit: one("cpu", "wall", "memory") }),
  error: struct({
    kind: one("error"),
    message: text(MESSAGE_CHARS),
    line: nullable(whole(1, Number.MAX_SAFE_INTEGER)),
    column: nullable(whole(1, Number.MAX_SAFE_INTEGER))
  })
})
const ScriptCall = (limits: Limits) =>
  struct({
    type: one("call"),
    call: whole(0, limits.httpCalls + limits.apiCalls),
    kind: one("http", "api"),
    /** 0-based place among the script's calls of this kind. */
    position: whole(0, Math.max(limits.httpCalls, limits.apiCalls)),
    payload: text(limits.httpResponseBytes)
  })
const ScriptDone = (limits: Limits) =>
  struct({
    type: one("done"),
    outcomes: list(variants("kind", outcomes(limits)), ROWS_MOST),
    // Each line costs its end.
    logs: list(LogLine(limits), limits.logBytes + 64),
    cpuMillis: amount(1e9),
    wallMillis: amount(1e9),
    /** The process ends itself after this message. */
    ended: flag
  })

/** Message read before the first script. */
export const ready = struct({ type: one("ready") })
/** Messages read while a script runs. */
export const fromRunner = (limits: Limits) => variants("type", { call: ScriptCall(limits), done: ScriptDone(limits) })

/**
 * Bytes of one message while a script runs. A result is JSON whose bytes are counted, and within JSON some are escaped; a call's
 * payload is counted in characters; a log may be empty lines. Several rows together are as many as one answer holds.
 */
export const messageBytes = (limits: Limits, rows: number) =>
  2 * resultChars(limits) +
  3 * (limits.httpResponseBytes + (rows > 1 ? MANY_CHARS : 0)) +
  64 * (limits.logBytes + 64) +
  rows * 4 * MESSAGE_CHARS +
  4096

type Fits<F extends (limits: Limits) => unknown> = Shaped<ReturnType<F>>
export type LogLine = Fits<typeof LogLine>
export type ScriptCall = Fits<typeof ScriptCall>
export type ScriptDone = Fits<typeof ScriptDone>
export type ScriptOutcome = ScriptDone["outcomes"][number]
export type Which = Extract<ScriptOutcome, { kind: "limit" }>["limit"]
export type FromRunner = Shaped<typeof ready> | ScriptCall | ScriptDone
