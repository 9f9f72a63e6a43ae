// Whole definition as stored and as the engine reads it: decoded, defaults filled in, node ids present (service.md 2.7). Types only:
// workflow code and Plan.ts may import them.
import type { Action } from "../schema/Action.ts"
import type { FilterGroup } from "../schema/Filter.ts"
import type { AnyTrigger } from "../triggers/registry.ts"

export type { Action } from "../schema/Action.ts"
export type {
  Code,
  Constant,
  CustomDef,
  FieldReference,
  IdOrReference,
  Reference,
  RelativeDate,
  Template,
  TemplateWithSecrets
} from "../schema/dynamicValues.ts"
export type { Condition, FilterGroup, FilterRow, FilterValue, ScriptCondition } from "../schema/Filter.ts"
export type { FieldAssignment } from "../schema/fieldAssignments.ts"
export type { AnyTrigger, TriggerConfig, TriggerType } from "../triggers/registry.ts"

export interface Definition {
  readonly trigger: AnyTrigger | null
  readonly filter: FilterGroup | null
  readonly actions: ReadonlyArray<Action>
  /** Automation that is called when a run fails (7.13). It is a present setting of the automation, not part of any revision. */
  readonly on_failure_automation_id?: number | null
}
