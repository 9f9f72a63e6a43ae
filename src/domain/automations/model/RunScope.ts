// What references resolve against (developer-api.md 7.4; decisions A7, A16): the reading side of a step and of a filter.
// Everything that is loaded is loaded at most once per step, inside the step's transaction where there is one.
import type { Effect } from "effect"
import { Schema } from "effect"
import type { Author } from "../../../engine/outbox/Event.ts"
import type { Cells } from "../../../ground/primitives/Cell.ts"
import type { Authority } from "../../accounts/Authority.ts"
import type { Asker } from "./askers.ts"
import type { CustomDef, TriggerType } from "./Definition.ts"
import type { StepFailed } from "./StepFailed.ts"

/** A record as rules see it. Times are UTC `YYYY-MM-DD HH:mm:ss`. The stand-in of a simulation has id 0. */
export interface RecordState {
  readonly record_id: number
  readonly app_id: number
  readonly app_record_id: number
  readonly revision: number
  /** As shown: the fallback title where the title field is empty. */
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
  /** 64-bit id as a string; "0" while the automation's filter is evaluated, before there is a run. */
  readonly run_id: string
  readonly type: RunType
  readonly org_id: number
  readonly record_id: number | null
  /** 1 for a run that no automation caused; what the run changes carries this depth. */
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
  /** What its steps declare, set or not. */
  readonly declared: ReadonlyArray<CustomDef>
}

/** An uploaded or generated file that a run may refer to. */
export const FileOutput = Schema.Struct({
  file_id: Schema.Int,
  filename: Schema.String,
  size: Schema.Int,
  mimetype: Schema.String
})
export type FileOutput = typeof FileOutput.Type

export interface CommentFacts {
  readonly comment_id: number
  /** Set when the triggering entity is a reply. */
  readonly reply_id?: number
  readonly content: string
  readonly created_by: Author
  readonly attachments: ReadonlyArray<number>
}

/** The request to an inbound address beside its body; names of headers are in lower case. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
}

/** What happened (A7); kept with the run for as long as the run. */
export interface TriggerData {
  readonly type: TriggerType | null
  /** The record at the event: its cells then, not now. */
  readonly record: RecordState | null
  /** Before the triggering change; only of `record_updated`. */
  readonly previous: RecordState | null
  /** Ids of the changed fields; only of `record_updated`. */
  readonly changed: ReadonlyArray<number> | null
  readonly comment?: CommentFacts
  readonly webhook_payload?: unknown
  /** Instead of it where it is large (`webhookPayloads.ts`). */
  readonly webhook_payload_id?: number
  /** How long its JSON is. */
  readonly webhook_payload_chars?: number
  /** The body as it was sent, where the definition named it; where the payload is large it is kept with it. */
  readonly webhook_raw_body?: string
  /** What stands under the name of a credential is sealed (`sealedValues.ts`). */
  readonly webhook_request?: WebhookRequest
  /** The payload's JSON held numbers that are kept as texts (decisions A29); the run's log says so. */
  readonly numbers_kept?: true
  readonly webhook_files?: ReadonlyArray<FileOutput>
  /** Epoch milliseconds. */
  readonly scheduled_at?: number
  readonly next_scheduled_at?: number | null
  readonly weblink?: { readonly click_count: number; readonly created_at: string }
  /** Inputs of a call or weblink by internal name (`var_…`). */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** Called because this run has failed (7.13). */
  readonly failed_run_id?: string
  /** The record that initiated a call or weblink. */
  readonly triggering_record_id?: number
  /** Of a simulation: what outside steps are answered, by their ids (7.13). */
  readonly pinned?: Readonly<Record<string, unknown>>
  /** A step tried alone (7.13): its run is a simulation, whether it is dry or real. */
  readonly test?: { readonly real: boolean }
  /** Who brought something of their own into the run: it has the author's rights and no more than theirs (decisions A24). */
  readonly asked_by?: ReadonlyArray<Asker>
}

/** Whether the run only tells what it would do. */
export const isDry = (type: RunType, { test }: Pick<TriggerData, "test">): boolean =>
  type === "simulation" && test?.real !== true

/** One enclosing loop. */
export interface LoopFrame {
  /** The loop's `iterable` reference, for "a reference equal to an iterable" (7.7 rule 4). */
  readonly iterable: unknown
  /** 0-based. */
  readonly index: number
  readonly size: number
  /** A record of the looped collection, or an item of the list. */
  readonly item:
    | { readonly type: "record"; readonly record_id: number; readonly app_id: number }
    | { readonly type: "value"; readonly value: unknown }
}

/** What producers publish; a later one of the same app replaces the earlier ("nearest upstream"). */
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
export type OutputType = Output["type"]

export interface Variable {
  readonly def: CustomDef
  /** `var_…` (7.7 rule 1). */
  readonly name: string
  readonly value: unknown
}

/** Fails where the author may not see it. */
export type Seen<A> = Effect.Effect<A, StepFailed>

export interface RunScope {
  readonly run: RunFacts
  readonly automation: AutomationFacts
  /** Whose rights the run has (decisions A20); there is no other way to reach anything. */
  readonly authority: Authority
  readonly trigger: TriggerData
  /** What an inbound webhook or a manual run brought, read when it is first asked for; `undefined` where there is none. */
  readonly payload: Seen<unknown>
  /** The request that brought it, and its body as it was sent. */
  readonly request: Effect.Effect<WebhookRequest | undefined>
  readonly rawBody: Seen<string | null>
  readonly simulation: boolean
  /** `current_date` and its like are fixed to this instant: the start of the step. */
  readonly now: Date
  /** An app of which the version is known, for a step that is committed only while it is so. */
  readonly appVersion?: { readonly app_id: number; readonly version: number }
  /** The run's record as it is; as it was at the event in the automation's filter, and where the record is gone. */
  readonly current: Seen<RecordState | null>
  /** Subject of `previous: true`: before the triggering change, or what `current_record_get_previous_revision` published. */
  readonly previous: Seen<RecordState | null>
  readonly triggering: Seen<RecordState | null>
  /** Live or trashed records of the organization by id, in the order asked for; unknown ones are left out. */
  readonly records: (ids: ReadonlyArray<number>) => Seen<ReadonlyArray<RecordState>>
  /** Subject of `collection: true` where one record is judged or worked on: match conditions, `collected_records_*`. */
  readonly collected: RecordState | null
  /** Enclosing loops, the innermost last. */
  readonly loops: ReadonlyArray<LoopFrame>
  /** The latest value set for a declaration of equal type and label; `undefined` when never set (reads as null, A16). */
  readonly variable: (def: CustomDef) => Effect.Effect<unknown>
  /** Every variable set so far, in the order of setting: later equal names win. Arguments of the trigger come first. */
  readonly variables: Effect.Effect<ReadonlyArray<Variable>>
  /** The latest output of a kind; `null` before any. Without an app: the latest of all. */
  readonly output: (type: OutputType, appId?: number) => Effect.Effect<Output | null>
  readonly mostRecentError: string | null
  /** Of the organization's hourly budget. */
  readonly actionsLeftInHour: Effect.Effect<number>
  /** Tells the log of a condition that is left out because its comparison value is empty (decisions A8, A27). */
  readonly onLeftOut?: (message: string) => void
}

/** The same scope with another record under `collection: true`. */
export const withCollected = <S extends RunScope>(scope: S, collected: RecordState): S => ({ ...scope, collected })

/** Internal name of a variable (7.7 rule 1): surrounding blanks are not removed. */
export const variableName = (label: string): string => `var_${label.toLowerCase().replaceAll(/[^a-z0-9_$]/g, "_")}`
