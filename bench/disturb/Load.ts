// Defines a load: work through the public API by several workers, each step repeatable, and the end state that the same steps leave behind
// when nothing disturbs them.
import type { Effect } from "effect"
import type { Client, GaveUp, Refused, Unanswered } from "../../demo/client.ts"
import type { Receiver } from "../../demo/receiver.ts"
import type { Called } from "./called.ts"

export interface LoadContext {
  readonly client: Client
  readonly workspaceId: number
  readonly receiver: Receiver & { readonly port: number }
  readonly workers: number
  /** The MCP server, for loads of a cluster. */
  readonly mcp?: Client
  /** Told of what a load repeats by itself. */
  readonly observe?: (one: Unanswered) => void
  /** Server that steps of automations call, for loads of a cluster. */
  readonly called?: Called
  /** Told when the service has answered that a record is at a revision. */
  readonly answered?: (recordId: number, revision: number) => void
  /** Milliseconds for which steps are requested. */
  readonly durationMillis: number
  /** `full`: the sizes that the issues name; `small`: those that a test has time for. */
  readonly size: "full" | "small"
  /** History events of every execution of the workflows of a type, by workflow id. */
  readonly histories: (workflowType: string) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<number>>, LoadFailure>
}

export type LoadFailure = GaveUp | Refused

export interface Running {
  /** The n-th step of a worker; once it succeeds its effect is there for good. */
  readonly step: (worker: number, n: number) => Effect.Effect<void, LoadFailure>
  /** Effects of the steps: how many there are by now, and how many there will be. */
  readonly settled: Effect.Effect<{ readonly done: number; readonly total: number }, LoadFailure>
  /** Differences from the undisturbed end state; empty when there are none. */
  readonly differences: Effect.Effect<ReadonlyArray<string>, LoadFailure>
  /** Counts for the report. */
  readonly counts: () => Readonly<Record<string, number>>
}

export interface Load {
  readonly name: string
  readonly about: string
  readonly begin: (context: LoadContext) => Effect.Effect<Running, LoadFailure>
}

export const some = (items: ReadonlyArray<unknown>, what: string): ReadonlyArray<string> =>
  items.length === 0 ? [] : [`${items.length} ${what}: ${items.slice(0, 5).join("; ")}${items.length > 5 ? "; …" : ""}`]
