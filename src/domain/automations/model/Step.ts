// The contract between the executor and the run time of the actions (developer-api.md 7.6, 7.11; decisions A1).
// What a step publishes is gathered here and committed by the executor together with the ledger row and the log.
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

/** The step's log entry while it grows; everything is cut and redacted when it is written. */
export interface StepLog {
  readonly add: (level: LogLevel | null, message: string) => void
  /** Resolved inputs and outputs, shown by name. */
  readonly input: (name: string, value: unknown) => void
  readonly output: (name: string, value: unknown) => void
  /** A text that must not appear in the log: a header's credential, a password. */
  readonly secret: (text: string) => void
  /** The record that the entry is about, where it is not the current one. */
  readonly about: (recordId: number) => void
}

/** A run of another automation of the same app, in its line behind what waits there. */
export interface AutomationCall {
  readonly automation_id: number
  readonly record_id: number
  /** By internal name of the target's inputs (decisions A14). */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly triggering_record_id: number | null
  /** The called run is a workflow of its own; one of many calls at once need not be. */
  readonly linked: boolean
  /** The step waits for its result (7.13). */
  readonly awaited: boolean
}

/** Named secrets of a run: hidden in its log, and in whatever a step leaves behind (developer-api.md 7.13). */
export interface StepSecrets {
  readonly add: (value: string) => void
  /** A value that is JSON, with a mark in place of every secret. */
  readonly without: <A>(value: A) => A
  readonly withoutIn: (bytes: Uint8Array) => Uint8Array
  readonly in: (value: unknown) => boolean
}

export interface Step<C = any> extends RunScope {
  readonly config: C
  /** The node's id in the definition. */
  readonly action_id: string
  /** `<run>/<node path>/<iteration>`: stable over repeats; idempotency key and message id towards the outside (A19). */
  readonly key: string
  /** How often this attempt has begun, this time included: above 1 only after a crash, and only for outside steps. */
  readonly attempt: number
  /** Its definition says how it is tried again (7.13): what it calls is to try once. */
  readonly retried: boolean
  /** What the run's steps may still take in all, in milliseconds, as the step begins. */
  readonly millisLeft: number
  readonly log: StepLog
  readonly secrets: StepSecrets
  /** Goes into every record and comment event that the step causes, with `run.depth`. */
  readonly cause: Cause
  /** Sets a variable that the step declares. JSON values only. */
  readonly set: (def: CustomDef, value: unknown) => void
  /** What the variable holds where the step fails and the run goes on; null without it (A16). */
  readonly setOnFailure: (def: CustomDef, value: unknown) => void
  readonly publish: (output: Output) => void
  /** Makes `previous: true` mean this record from now on (`current_record_get_previous_revision`); null: empty. */
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
  /** Where the clicker goes; wins over pages. */
  readonly redirect: (url: string) => void
}

/**
 * What became of it. `skipped` shows its message. `quiet` success leaves no entry in the log unless something was
 * added to it (`custom_variable` without definitions, a skipped `authenticated_http_call`).
 */
export type StepOutcome =
  | { readonly status: "success"; readonly quiet?: boolean }
  | { readonly status: "skipped"; readonly message: string; readonly quiet?: boolean }
export const success: StepOutcome = { status: "success" }
export const skipped = (message: string): StepOutcome => ({ status: "skipped", message })

/** A change of a record's fields that may go in together with those of other runs. */
export class StepRecordChange extends Data.Class<{
  readonly write: Write
  readonly app_id: number
  readonly record_id: number
  readonly fields: FieldInputs
}> {}

type Run<C, A> = (step: Step<C>) => Effect.Effect<A, StepFailed | SqlError>

/**
 * How a type runs. `once`: a database step inside its transaction, an outside step outside of any. `prepared`: reads and
 * evaluates before the transaction, which then holds no connection while a script runs; what it answers is done inside, and with
 * nothing left to do the commit is a single statement.
 * `each`: `targets` are fixed when the step begins; then `run` is called for each in turn with the record under
 * `collected`, committed in chunks, one credit each. One that fails leaves the others alone, and the step fails at the end.
 */
export type StepRuntime<C = any> =
  | { readonly kind: "once"; readonly run: Run<C, StepOutcome> }
  | {
      readonly kind: "prepared"
      readonly run: Run<C, StepOutcome | StepRecordChange | Effect.Effect<StepOutcome, StepFailed | SqlError>>
      /** What it reads in any case: on its way while the step's author is asked about. What fails of it fails again in `run`. */
      readonly ahead?: Run<C, void>
    }
  | {
      readonly kind: "each"
      readonly targets: Run<C, ReadonlyArray<number>>
      readonly run: (step: Step<C>, record: RecordState) => Effect.Effect<StepOutcome, StepFailed | SqlError>
    }

/** The run time of a type that the executor does not decide itself; given from above (actions/runtimes.ts holds them to be complete). */
export class Steps extends Context.Service<
  Steps,
  {
    readonly of: (type: string) => StepRuntime | undefined
    /** The same for a simulation that says what the step is answered (7.13). */
    readonly pinned: (type: string, answer: unknown) => StepRuntime
  }
>()("millrace/automations/model/Steps") {}

/** The common mutation keys **M** of a config (developer-api.md 7.6). */
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
export type { Output, RecordState, RunScope }
export { StepFailed }
