// Scope of a run: the values against which references of a step or filter resolve (developer-api.md 7.4; decisions A7, A16). Each value is
// loaded at most once per step, inside the step's transaction if there is one.
import type { Effect } from "effect"
import { Schema } from "effect"
import type { Author } from "../../../engine/outbox/Event.ts"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import type { Authority } from "../../accounts/Authority.ts"
import type { Asker } from "./askers.ts"
import type { CustomDef, TriggerType } from "./Definition.ts"
import type { StepFailed } from "./StepFailed.ts"

/** Record as rules see it. Times are UTC `YYYY-MM-DD HH:mm:ss`. The stand-in of a simulation has id 0. */
export interface RecordState {
  readonly record_id: number
  readonly app_id: number
  readonly app_record_id: number
  readonly revision: number
  /** Title as shown: the fallback title if the title field is empty. */
  readonly title: string
  readonly cells: Cells
  readonly comment_count: number
  readonly created_on: string
  readonly created_by: Author
  readonly last_modified_on: string | null
  readonly last_modified_by: Author | null
  readonly deleted_on: string | null
}

export const RunType = Schema.Literals(["regular", "manual", "simulation"])
export type RunType = typeof RunType.Type

export interface RunFacts {
  /** 64-bit id as a string; "0" while the automation's filter is evaluated, before the run exists. */
  readonly run_id: string
  readonly type: RunType
  readonly org_id: number
  readonly record_id: number | null
  /** 1 for a run that no automation caused; events of the run's changes carry this depth. */
  readonly depth: number
  readonly root_run_id: string
  /** Automation ids from the root to this one. */
  readonly chain: ReadonlyArray<number>
  readonly created_on: Date
}

export interface AutomationFacts {
  readonly automation_id: number
  readonly revision_id: string
  readonly name: string
  readonly app_id: number
  readonly workspace_id: number
  readonly org_id: number
  /** IANA zone. */
  readonly timezone: string
  /** Variables that its steps declare, set or not. */
  readonly declared: ReadonlyArray<CustomDef>
}

/** Uploaded or generated file to which a run may refer. */
export const FileOutput = Schema.Struct({
  file_id: Schema.Int,
  filename: Schema.String,
  size: Schema.Int,
  mimetype: Schema.String
})
export type FileOutput = typeof FileOutput.Type

export interface CommentFacts {
  readonly comment_id: number
  /** Set if the triggering entity is a reply. */
  readonly reply_id?: number
  readonly content: string
  readonly created_by: Author
  readonly attachments: ReadonlyArray<number>
}

/** Request to an inbound address without its body; names of headers are in lower case. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
}

/** Data of the triggering event (A7), kept for as long as the run. */
export interface TriggerData {
  readonly type: TriggerType | null
  /** Record at the event, with its cells of that time. */
  readonly record: RecordState | null
  /** State before the triggering change; only for `record_updated`. */
  readonly previous: RecordState | null
  /** Ids of the changed fields; only for `record_updated`. */
  readonly changed: ReadonlyArray<number> | null
  readonly comment?: CommentFacts
  readonly webhook_payload?: unknown
  /** Id of a large payload, instead of the payload itself (`webhookPayloads.ts`). */
  readonly webhook_payload_id?: number
  /** Length of the payload's JSON. */
  readonly webhook_payload_chars?: number
  /** Body as it was sent, if the definition uses it. A large payload's body is stored with it instead. */
  readonly webhook_raw_body?: string
  /** Request with sealed values under names of credentials (`sealedValues.ts`). */
  readonly webhook_request?: WebhookRequest
  /** True if the payload's JSON held numbers that are kept as texts (decisions A29); the run's log says so. */
  readonly numbers_kept?: true
  readonly webhook_files?: ReadonlyArray<FileOutput>
  /** Epoch milliseconds. */
  readonly scheduled_at?: number
  readonly next_scheduled_at?: number | null
  readonly weblink?: { readonly click_count: number; readonly created_at: string }
  /** Inputs of a call or weblink by internal name (`var_…`). */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** Failed run because of which this one was called (7.13). */
  readonly failed_run_id?: string
  /** Record that initiated a call or weblink. */
  readonly triggering_record_id?: number
  /** Pinned answers of a simulation for outside steps, by step id (7.13). */
  readonly pinned?: Readonly<Record<string, unknown>>
  /** Set for the test of a single step (7.13): its run is a simulation, whether dry or real. */
  readonly test?: { readonly real: boolean }
  /** Users who brought data of their own into the run: it has the author's rights, limited to theirs (decisions A24). */
  readonly asked_by?: ReadonlyArray<Asker>
}

/** True if the run only logs what it would do. */
export const isDry = (type: RunType, { test }: Pick<TriggerData, "test">): boolean =>
  type === "simulation" && test?.real !== true

/** Enclosing loop. */
export interface LoopFrame {
  /** Reference `iterable` of the loop, for "a reference equal to an iterable" (7.7 rule 4). */
  readonly iterable: unknown
  /** 0-based. */
  readonly index: number
  readonly size: number
  /** Record of the looped collection, or item of the list. */
  readonly item:
    | { readonly type: "record"; readonly record_id: number; readonly app_id: number }
    | { readonly type: "value"; readonly value: unknown }
}

/** Outputs that steps publish; a later one of the same app replaces the earlier ("nearest upstream"). */
export type Output =
  | { readonly type: "record_collection"; readonly app_id: number; readonly record_ids: ReadonlyArray<number> }
  /** `record` is set for the stand-in of a simulation, which no database holds. */
  | {
      readonly type: "created_record"
      readonly app_id: number
      readonly record_id: number
      readonly record?: RecordState
    }
  | { readonly type: "file_collection"; readonly app_id: number; readonly files: ReadonlyArray<FileOutput> }
type OutputType = Output["type"]

export interface Variable {
  readonly def: CustomDef
  /** `var_…` (7.7 rule 1). */
  readonly name: string
  readonly value: unknown
}

/** Value that fails if the author may not see it. */
export type Seen<A> = Effect.Effect<A, StepFailed>

export interface RunScope {
  readonly run: RunFacts
  readonly automation: AutomationFacts
  /** Rights of the run (decisions A20): the only access to any data. */
  readonly authority: Authority
  readonly trigger: TriggerData
  /** Payload of an inbound webhook or a manual run, read on first use; `undefined` if there is none. */
  readonly payload: Seen<unknown>
  /** Request that brought the payload, and its body as it was sent. */
  readonly request: Effect.Effect<WebhookRequest | undefined>
  readonly rawBody: Seen<string | null>
  readonly simulation: boolean
  /** Start of the step; `current_date` and the like are fixed to this instant. */
  readonly now: Date
  /** App with a known version, for a step that is committed only if the version has not changed. */
  readonly appVersion?: { readonly app_id: number; readonly version: number }
  /** Run's record in its present state; in the automation's filter, and if the record was deleted, its state at the event. */
  readonly current: Seen<RecordState | null>
  /** Subject of `previous: true`: the state before the triggering change, or what `current_record_get_previous_revision` published. */
  readonly previous: Seen<RecordState | null>
  readonly triggering: Seen<RecordState | null>
  /** Live or trashed records of the organization by id, in the order of the ids; unknown ones are left out. */
  readonly records: (ids: ReadonlyArray<number>) => Seen<ReadonlyArray<RecordState>>
  /** Subject of `collection: true` where one record is evaluated or changed: match conditions, `collected_records_*`. */
  readonly collected: RecordState | null
  /** Enclosing loops, the innermost last. */
  readonly loops: ReadonlyArray<LoopFrame>
  /** Latest value set for a declaration of equal type and label; `undefined` if never set (reads as null, A16). */
  readonly variable: (def: CustomDef) => Effect.Effect<unknown>
  /** All variables set so far, in the order of setting: later equal names win. Arguments of the trigger come first. */
  readonly variables: Effect.Effect<ReadonlyArray<Variable>>
  /** Latest output of a kind, of all apps if none is given; `null` before any. */
  readonly output: (type: OutputType, appId?: number) => Effect.Effect<Output | null>
  readonly mostRecentError: string | null
  /** Actions left in the organization's hourly budget. */
  readonly actionsLeftInHour: Effect.Effect<number>
  /** Logs a condition that is left out because its comparison value is empty (decisions A8, A27). */
  readonly onLeftOut?: (message: string) => void
}

/** Returns the same scope with another record under `collection: true`. */
export const withCollected = <S extends RunScope>(scope: S, collected: RecordState): S => ({ ...scope, collected })

/** Returns the internal name of a variable (7.7 rule 1): surrounding blanks are not removed. */
export const variableName = (label: string): string => `var_${label.toLowerCase().replaceAll(/[^a-z0-9_$]/g, "_")}`
