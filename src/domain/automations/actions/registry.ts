// Registry of the 35 action types (service.md 2.7), in its order, with their specs. runtimes.ts has their runtimes.
import { Schema } from "effect"
import type { StepKind } from "../model/Plan.ts"
import { type Action as ActionNode, actionSchema, type Group, nested } from "../schema/Action.ts"
import { authenticated_http_call } from "./authenticated_http_call/spec.ts"
import { clear_record_collection } from "./clear_record_collection/spec.ts"
import { collect_app_records } from "./collect_app_records/spec.ts"
import { collect_app_view_records } from "./collect_app_view_records/spec.ts"
import { collect_referenced_records } from "./collect_referenced_records/spec.ts"
import { collected_records_call_automation } from "./collected_records_call_automation/spec.ts"
import { collected_records_collect_referenced_records } from "./collected_records_collect_referenced_records/spec.ts"
import { collected_records_comment_create } from "./collected_records_comment_create/spec.ts"
import { collected_records_send_email } from "./collected_records_send_email/spec.ts"
import { collected_records_update } from "./collected_records_update/spec.ts"
import { conditional } from "./conditional/spec.ts"
import { create_pdf } from "./create_pdf/spec.ts"
import { current_record_call_automation } from "./current_record_call_automation/spec.ts"
import { current_record_comment_create } from "./current_record_comment_create/spec.ts"
import { current_record_comment_or_reply_delete } from "./current_record_comment_or_reply_delete/spec.ts"
import { current_record_comment_or_reply_reply_create } from "./current_record_comment_or_reply_reply_create/spec.ts"
import { current_record_delete } from "./current_record_delete/spec.ts"
import { current_record_generate_automation_weblink } from "./current_record_generate_automation_weblink/spec.ts"
import { current_record_get_previous_revision } from "./current_record_get_previous_revision/spec.ts"
import { current_record_restore } from "./current_record_restore/spec.ts"
import { current_record_update } from "./current_record_update/spec.ts"
import { custom_code } from "./custom_code/spec.ts"
import { custom_variable } from "./custom_variable/spec.ts"
import { delay } from "./delay/spec.ts"
import { display_webpage } from "./display_webpage/spec.ts"
import { exit } from "./exit/spec.ts"
import { filter_record_collection } from "./filter_record_collection/spec.ts"
import { for_loop } from "./for_loop/spec.ts"
import { http_call } from "./http_call/spec.ts"
import { record_create } from "./record_create/spec.ts"
import { redirect_user } from "./redirect_user/spec.ts"
import { referenced_records_update } from "./referenced_records_update/spec.ts"
import { rollup_iterable_values } from "./rollup_iterable_values/spec.ts"
import { send_email } from "./send_email/spec.ts"
import { sort_record_collection } from "./sort_record_collection/spec.ts"
import type { ActionFacts } from "./spec.ts"

/** Checks that each spec stands under its own type. */
const named = <const A extends { readonly [T in keyof A]: { readonly type: T } }>(all: A): A => all

const actions = named({
  custom_code,
  custom_variable,
  record_create,
  current_record_update,
  current_record_delete,
  current_record_restore,
  current_record_get_previous_revision,
  current_record_comment_create,
  current_record_comment_or_reply_reply_create,
  current_record_comment_or_reply_delete,
  collect_app_records,
  collect_app_view_records,
  collect_referenced_records,
  collected_records_collect_referenced_records,
  filter_record_collection,
  sort_record_collection,
  clear_record_collection,
  collected_records_update,
  referenced_records_update,
  collected_records_comment_create,
  rollup_iterable_values,
  current_record_call_automation,
  collected_records_call_automation,
  current_record_generate_automation_weblink,
  display_webpage,
  redirect_user,
  send_email,
  collected_records_send_email,
  create_pdf,
  http_call,
  authenticated_http_call,
  delay,
  exit,
  for_loop,
  conditional
})

export type ActionType = keyof typeof actions
export const actionTypes = Object.keys(actions) as ReadonlyArray<ActionType>
/** Decoded config of a type: defaults filled in, strings wrapped. */
export type ActionConfig<T extends ActionType> = (typeof actions)[T]["config"]["Type"]

type OfKind<K extends StepKind> = {
  [T in ActionType]: (typeof actions)[T]["kind"] extends K ? T : never
}[ActionType]
/** Types whose steps are activities of their own, under the type's name. */
export type OutsideType = OfKind<"outside">
/** Types with a runtime; the executor handles the others itself. */
export type RuntimeType = OfKind<"database" | "outside" | "call">
export const outsideTypes = actionTypes.filter((type): type is OutsideType => actions[type].kind === "outside")

/** Spec whose config type is unknown, for code that treats all types alike. */
export interface AnyActionSpec extends ActionFacts<any> {
  readonly type: ActionType
  readonly kind: StepKind
  readonly group: Group
  readonly config: Schema.Struct<Schema.Struct.Fields>
}
export const actionSpec = (type: string): AnyActionSpec => actions[type as ActionType] as unknown as AnyActionSpec

/** Any action as written: `id` may be missing; normalizeDefinition.ts creates it and adds the group. */
export const ActionInput = Schema.Union(
  actionTypes.map((type) => actionSchema(actionSpec(type)))
) as unknown as Schema.Codec<ActionNode, unknown>
nested.action = ActionInput
