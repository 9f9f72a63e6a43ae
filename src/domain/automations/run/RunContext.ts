// One run in the hands of its executor, what a step of it gathers, and the log entry that it leaves (developer-api.md 7.11).
import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { actionSpec } from "../actions/registry.ts"
import type { PlanNode } from "../model/Plan.ts"
import type { LoopFrame, RecordState, Scope } from "../model/RunScope.ts"
import type { Call, LogMessage, Step } from "../model/Step.ts"
import type { Revision } from "./AutomationRevisions.ts"
import { logMessages, logValues } from "./logText.ts"
import type { Commit, LoadedRun, LogEntry, LogStatus, RunRow, StoredOutput } from "./RunRow.ts"
import type { InboxRow, VariableRow } from "./RunStore.ts"

/** What a step has gathered; committed with it, thrown away when it fails. */
export interface Gathered {
  readonly variables: Array<VariableRow>
  readonly outputs: Array<StoredOutput>
  readonly calls: Array<Call>
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

export interface RunContext {
  /** As of the last commit; as of the last step while a chunk is open. */
  run: RunRow
  /** What the steps of an open chunk leave, committed with its end. */
  open: Array<Commit> | null
  readonly loaded: LoadedRun
  readonly revision: Revision
  /** The mailbox row that goes with the end of a plain run. */
  readonly inboxRow: InboxRow | null
  /** @param current the record as it was, where the scope is not about the record as it is */
  readonly scope: (now: Date, loops: ReadonlyArray<LoopFrame>, current?: RecordState | null) => Scope
  readonly step: (
    node: PlanNode,
    iteration: ReadonlyArray<number>,
    options: { readonly now: Date; readonly loops: ReadonlyArray<LoopFrame>; readonly attempt: number }
  ) => { readonly step: Step; readonly gathered: Gathered }
  /** The loops around a node, in an iteration. */
  readonly loops: (
    node: PlanNode,
    iteration: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<LoopFrame>, SqlError>
  /** A loop's items and how many there are, as it began. */
  readonly loop: (path: string, outer: ReadonlyArray<number>) => Effect.Effect<LoopResult, SqlError>
  /** Has what earlier steps have published at hand. */
  readonly load: Effect.Effect<void, SqlError>
  /** Answers how to take back what is absorbed from now on. */
  readonly snapshot: () => () => void
  /** After the commit: later steps see what this one has published. */
  readonly absorb: (published: {
    readonly variables: ReadonlyArray<VariableRow>
    readonly outputs: ReadonlyArray<StoredOutput>
  }) => void
}

/** A loop's ledger result. */
export interface LoopResult {
  readonly type: "records" | "values"
  readonly app_id?: number
  readonly size: number
}

export const labelOf = (node: PlanNode): string =>
  node.action.custom_name ?? actionSpec(node.action.type)?.label ?? node.action.type

export const newGathered = (): Gathered => ({
  variables: [],
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

/** The log entry of a step. */
export const logOf = (
  node: PlanNode,
  status: LogStatus,
  gathered: Gathered,
  facts: { readonly recordId: number | null; readonly millis: number; readonly attempt: number }
): LogEntry => ({
  type: "action",
  status,
  label: labelOf(node),
  messages: logMessages(gathered.messages, gathered.secrets),
  action_id: node.action.id,
  record_id: gathered.about ?? facts.recordId,
  detail: {
    inputs: { ...logValues(gathered.inputs, gathered.secrets), ...gathered.shown },
    outputs: logValues(gathered.results, gathered.secrets),
    duration_ms: facts.millis,
    attempts: facts.attempt
  }
})
