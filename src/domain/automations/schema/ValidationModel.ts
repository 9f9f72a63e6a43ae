// Model against which a definition is checked, and the findings of a check (developer-api.md 7.12). Pure data.
import type { FieldTypeTag } from "../../records/fields/registry.ts"
import type { ReasonCode, WarningCode } from "./brokenReasons.ts"
import type { CustomDef } from "./dynamicValues.ts"

export interface FieldModel {
  readonly field_id: number
  readonly app_id: number
  readonly label: string
  readonly field_type: FieldTypeTag
  readonly required: boolean
  readonly always_hidden: boolean
  /** No two live records of the app have the same value. */
  readonly is_unique: boolean
  /** Options of categories and status. */
  readonly option_ids: ReadonlySet<number>
  /** Apps that a relation refers to. */
  readonly referenced_app_ids: ReadonlySet<number>
}

export interface CallTarget {
  readonly id: number
  readonly app_id: number
  readonly trigger_type: string | null
  /** Inputs in force: empty while `custom_variable_defs_enabled` is off. */
  readonly inputs: ReadonlyArray<CustomDef>
  /** Variables that its steps declare: the outputs of a call that waits for it. */
  readonly outputs: ReadonlyArray<CustomDef>
}

/** Live things that a definition may name: a thing that is not in here is missing. */
export interface ValidationModel {
  readonly app_id: number
  /** IANA zone of the automation. */
  readonly timezone: string
  readonly apps: ReadonlySet<number>
  readonly fields: ReadonlyMap<number, FieldModel>
  /** Apps one relation away from the automation's app, in either direction. */
  readonly edge_app_ids: ReadonlySet<number>
  readonly users: ReadonlySet<number>
  readonly records: ReadonlySet<number>
  readonly automations: ReadonlyMap<number, CallTarget>
  /** Names of secrets of the app, its workspace and the organization. */
  readonly secrets: ReadonlySet<string>
  /** Things of the organization that this workspace may not use (decisions A26). */
  readonly withheld: {
    readonly secrets: ReadonlySet<string>
    readonly providers: ReadonlySet<number>
    readonly mail_accounts: ReadonlySet<number>
  }
  /** Epoch milliseconds of the check. */
  readonly now: number
  /** Shortest spacing of a schedule. */
  readonly min_spacing_ms: number
}

/** Mistake that a check has found; the caller adds its place. */
export interface Finding {
  readonly code: ReasonCode
  readonly message: string
  /** Node inside the trigger, filter or action that is at fault: a condition's or an entry's id. */
  readonly block_id?: string
  readonly app_id?: number
  readonly field_id?: number
  readonly view_id?: number
  readonly automation_id?: number
  readonly user_id?: number
  readonly record_id?: number
  readonly option_id?: number
  readonly match_type?: string
  readonly assignment_type?: string
  readonly call_argument?: string
}

/** Entry of `errors[]` and of `broken_reason`: a finding and its place. `deactivated` ones do not count. */
export interface BrokenReason extends Omit<Finding, "block_id"> {
  readonly deactivated?: true
  readonly block_id: string | null
  readonly action_id: string | null
}

/** Entry of `warnings[]`: shaped like an error, never decisive (developer-api.md 7.13). */
export interface Warning extends Omit<BrokenReason, "code" | "deactivated"> {
  readonly code: WarningCode
}
