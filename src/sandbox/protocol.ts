// What the service and a script process tell each other. Pure types: both sides import them.
import type { Limits } from "./limits.ts"

export interface LogLine {
  readonly level: "log" | "info" | "warn" | "error"
  readonly message: string
}

export interface Init {
  readonly type: "init"
  readonly code: string
  readonly memoryMiB: number
  /** Scripts that may share an isolate, each in a context of its own. */
  readonly scriptsPerIsolate: number
}

export interface Run {
  readonly type: "run"
  readonly mode: "sync" | "async"
  readonly source: string
  /** JSON of the settings that realm/index.ts reads. */
  readonly settings: string
  readonly limits: Limits
}

export interface RunMany {
  readonly type: "many"
  readonly source: string
  readonly names: ReadonlyArray<string>
  /** JSON: a list of value lists, in the order of `names`. */
  readonly rows: string
  readonly limits: Limits
}

export interface Reply {
  readonly type: "reply"
  readonly call: number
  readonly ok: boolean
  /** JSON of the answer, or the message of the error. */
  readonly text: string
}

export type ToRunner = Init | Run | RunMany | Reply

export interface Call {
  readonly type: "call"
  readonly call: number
  readonly kind: "http" | "api"
  /** 0-based place among the script's calls of this kind. */
  readonly position: number
  readonly payload: string
}

export type Which = "cpu" | "wall" | "memory"
export type Outcome =
  /** `text` is the JSON that realm/index.ts made. */
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly limit: Which }
  | { readonly ok: false; readonly message: string; readonly line: number | null }

export interface Done {
  readonly type: "done"
  readonly outcomes: ReadonlyArray<Outcome>
  readonly logs: ReadonlyArray<LogLine>
  readonly cpuMillis: number
  readonly wallMillis: number
  /** The process ends itself after this message. */
  readonly ended: boolean
}

export type FromRunner = { readonly type: "ready" } | Call | Done
