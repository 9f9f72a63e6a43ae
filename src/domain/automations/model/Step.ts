// Contract between the executor and the runtimes of the actions (developer-api.md 7.6, 7.11; decisions A1). A step's output is collected
// here; the executor commits it together with the ledger row and the log.
import { Context, Data, type Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Author, Cause, Switches } from "../../../engine/outbox/Event.ts"
import type { Write } from "../../records/model/RecordRow.ts"
import type { FieldInputs } from "../../records/writing/fieldInputs.ts"
import type { CustomDef } from "./Definition.ts"
import type { Output, RecordState, RunScope } from "./RunScope.ts"
import { StepFailed } from "./StepFailed.ts"

export type LogLevel = "info" | "warn" | "error" | "success"
export interface LogMessage {
  readonly message: string
  readonly level: LogLevel | null
}

/** Log entry of a step while it is built; everything is cut and redacted when it is written. */
interface StepLog {
  readonly add: (level: LogLevel | null, message: string) => void
  /** Adds a resolved input or output, shown by name. */
  readonly input: (name: string, value: unknown) => void
  readonly output: (name: string, value: unknown) => void
  /** Adds a text that must not appear in the log: a header's credential, a password. */
  readonly secret: (text: string) => void
  /** Sets the record that the entry is about, if it is not the current one. */
  readonly about: (recordId: number) => void
}

/** Call that starts a run of another automation of the same app. It enters that automation's mailbox after the rows that wait there. */
export interface AutomationCall {
  readonly automation_id: number
  readonly record_id: number
  /** Arguments by internal name of the target's inputs (decisions A14). */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly triggering_record_id: number | null
  /** True: the called run is a workflow of its own. One of many calls at once need not be. */
  readonly linked: boolean
  /** True: the step waits for the call's result (7.13). */
  readonly awaited: boolean
}

/** Named secrets of a run: hidden in its log and in all output of a step (developer-api.md 7.13). */
export interface StepSecrets {
  readonly add: (value: string) => void
  /** Returns a JSON value with a mark in place of every secret. */
  readonly without: <A>(value: A) => A
  readonly withoutIn: (bytes: Uint8Array) => Uint8Array
  readonly in: (value: unknown) => boolean
}

export interface Step<C = any> extends RunScope {
  readonly config: C
  /** Id of the node in the definition. */
  readonly action_id: string
  /** `<run>/<node path>/<iteration>`: stable over repeats; idempotency key and message id for external services (A19). */
  readonly key: string
  /** Number of times that this attempt has begun, this one included: above 1 only after a crash, and only for outside steps. */
  readonly attempt: number
  /** True if its definition has a retry policy (7.13): the calls that it makes are to try once. */
  readonly retried: boolean
  /** Milliseconds that the run's steps may still take in all, at the beginning of the step. */
  readonly millisLeft: number
  readonly log: StepLog
  readonly secrets: StepSecrets
  /** Cause for every record and comment event of the step, with `run.depth`. */
  readonly cause: Cause
  /** Sets a variable that the step declares. JSON values only. */
  readonly set: (def: CustomDef, value: unknown) => void
  /** Sets the variable's value for the case that the step fails and the run continues; null without it (A16). */
  readonly setOnFailure: (def: CustomDef, value: unknown) => void
  readonly publish: (output: Output) => void
  /** Sets the record that `previous: true` means from now on (`current_record_get_previous_revision`); null: empty. */
  readonly publishPrevious: (record: RecordState | null) => void
  /** Starts the target after the commit, does not wait. */
  readonly call: (call: AutomationCall) => void
  /** Composes the page of a weblink's click (7.10). */
  readonly page: (page: {
    readonly join: "add_below" | "add_above" | "replace_previous"
    readonly html: string
    readonly fullscreen: boolean
    readonly removeBranding: boolean
  }) => void
  /** Address to which the clicker is redirected; wins over pages. */
  readonly redirect: (url: string) => void
}

/**
 * Outcome of a step. `skipped` shows its message. One that `logsNothing` leaves no entry unless something was added to the log
 * (`custom_variable` without definitions, a skipped `authenticated_http_call`). `cancelled`: the step has stopped because its run is
 * cancelled, and so the run ends with it.
 */
export type StepOutcome =
  | { readonly status: "success"; readonly logsNothing?: boolean }
  | { readonly status: "skipped"; readonly message: string; readonly logsNothing?: boolean }
  | { readonly status: "cancelled"; readonly message: string; readonly logsNothing?: boolean }
export const success: StepOutcome = { status: "success" }
export const cancelled = (message: string): StepOutcome => ({ status: "cancelled", message })
export const skipped = (message: string): StepOutcome => ({ status: "skipped", message })

/** Change of a record's fields that may be committed together with those of other runs. */
export class StepRecordChange extends Data.Class<{
  readonly write: Write
  readonly app_id: number
  readonly record_id: number
  readonly fields: FieldInputs
}> {}

type Run<C, A> = (step: Step<C>) => Effect.Effect<A, StepFailed | SqlError>

/**
 * Execution of a type:
 * - `once`: a database step runs inside its transaction, an outside step outside of any.
 * - `prepared`: reads and evaluates before the transaction, which then holds no connection while a script runs. Its result runs inside the
 * transaction; if no effect is left, the commit is a single statement.
 * - `each`: `targets` are fixed when the step begins. Then `run` is called for each of them with the record under `collected`, committed in
 * chunks, one credit each. A failing one does not stop the others, and the step fails at the end.
 */
export type StepRuntime<C = any> =
  | { readonly kind: "once"; readonly run: Run<C, StepOutcome> }
  | {
      readonly kind: "prepared"
      readonly run: Run<C, StepOutcome | StepRecordChange | Effect.Effect<StepOutcome, StepFailed | SqlError>>
      /** Prefetches what the step reads in any case, while the author's rights are read. An error in it occurs again in `run`. */
      readonly ahead?: Run<C, void>
    }
  | {
      readonly kind: "each"
      readonly targets: Run<C, ReadonlyArray<number>>
      readonly run: (step: Step<C>, record: RecordState) => Effect.Effect<StepOutcome, StepFailed | SqlError>
    }

/**
 * Runtimes of the types that the executor does not handle itself; provided by a higher layer (actions/runtimes.ts checks that they are
 * complete).
 */
export class Steps extends Context.Service<
  Steps,
  {
    readonly of: (type: string) => StepRuntime | undefined
    /** Returns the runtime of a simulation with a pinned answer (7.13). */
    readonly pinned: (type: string, answer: unknown) => StepRuntime
  }
>()("millrace/automations/model/Steps") {}

/** Common mutation keys **M** of a config (developer-api.md 7.6). */
export interface MutationConfig {
  readonly author_id?: unknown
  readonly trigger_webhooks: boolean
  readonly trigger_other_flows: boolean
  readonly silent: boolean
}
export const switchesOf = (config: MutationConfig): Switches => ({
  hook: config.trigger_webhooks,
  workflow: config.trigger_other_flows,
  silent: config.silent
})
export const automationAuthor = (scope: RunScope): Author => ({
  type: "automation",
  automation_id: scope.automation.automation_id
})

export type { FailureReason } from "./StepFailed.ts"
export type { RunScope }
export { StepFailed }
