// What an action file declares. Meta catalogue, decoding, defaults on read and validation derive from it; run-time code
// lives elsewhere and imports only types from here. Key groups shared by several actions are at the end.
import { Schema } from "effect"
import { line, list, sizes, token } from "../../../ground/bounds/sized.ts"
import type { Scope } from "../../accounts/Scope.ts"
import { flag, Id, object, recursive, unset, withDefault } from "../schema/combinators.ts"
import { filterOrNull } from "../schema/Filter.ts"
import type { ReasonCode } from "../schema/reasons.ts"
import type { Finding, ValidationModel } from "../schema/ValidationModel.ts"
import { type actionOutputs, CustomDef, code, IdOrReference, Reference, template } from "../schema/Value.ts"

export type Group = "action" | "control_flow"

/** Facts that hold for every config of the type; functions receive the decoded config. */
export interface ActionFacts<C> {
  readonly label: string
  readonly description: string
  readonly group?: Group
  /**
   * What the step does by itself is done with these scopes of the credential that saved the definition (decisions A20): those of
   * the endpoint that does the same. What its values read is asked where they are read.
   */
  readonly scopes: ReadonlyArray<Scope>
  /** Trigger the step needs (service.md "Trigger-context requirements"); otherwise `action_invalid`. */
  readonly requires?: "record" | "comment" | "weblink"
  /** What later steps may reference by an action-output reference. */
  readonly produces?: (typeof actionOutputs)[number]
  /** Reads `record_collection`; `or_loop_item`: left out it is the loop's current item. */
  readonly consumes?: "collection" | "or_loop_item"
  /** Keys without which the definition is not valid, with the code that says so (developer-api.md 7.6 "req."). */
  readonly needs?: ReadonlyArray<{ readonly key: string; readonly code: ReasonCode }>
  /** Key of the app whose fields `field_assignments` may target, or the current record's app. */
  readonly assigns?: "current" | "app_id" | "collection"
  /** Trigger that the target in `automation_id` must carry. */
  readonly calls?: "automation_called" | "weblink_clicked"
  /** Whether steps of this type have nested action lists, by key. */
  readonly rows?: ReadonlyArray<string>
  /** Whether the effect is outside the database: such a step is an activity of its own. */
  readonly outside?: boolean
  /** Variables that the step declares. */
  readonly declares?: (config: C) => ReadonlyArray<CustomDef>
  /** Why a well-formed config is refused on write, if it is. */
  readonly refuses?: (config: C) => string | undefined
  /** Semantic mistakes of this type alone. */
  readonly check?: (config: C, model: ValidationModel) => Iterable<Finding>
}

export interface ActionSpec<T extends string, F extends Schema.Struct.Fields>
  extends ActionFacts<Schema.Struct<F>["Type"]> {
  readonly type: T
  readonly group: Group
  readonly config: Schema.Struct<F>
}

export const action = <const T extends string, F extends Schema.Struct.Fields>(
  spec: { readonly type: T; readonly config: F } & ActionFacts<Schema.Struct<F>["Type"]>
): ActionSpec<T, F> => ({ ...spec, group: spec.group ?? "action", config: object(spec.config) })

/** A step. `config` is typed by `ActionConfig<T>` of registry.ts. */
export interface Action {
  readonly id: string
  readonly type: string
  readonly group: Group
  readonly custom_name?: string
  readonly deactivate?: boolean
  readonly continue_on_error?: boolean
  readonly config: Record<string, any>
}

/** registry.ts puts the union of all actions here: conditional and for_loop nest it without importing it. */
export const nested: { action: Schema.Codec<Action, unknown> | undefined } = { action: undefined }
export const Actions: Schema.Codec<ReadonlyArray<Action>, ReadonlyArray<unknown>> = list(
  recursive<Action>("Action", () => nested.action!),
  sizes.definitionList
)

/** **M**: the common keys of steps that change records (developer-api.md 7.6); defaults of 1.9. */
export const mutation = {
  author_id: unset(
    IdOrReference.annotate({ description: "User id or reference; the automation itself when left out" })
  ),
  trigger_webhooks: flag(true, "Whether the change sends webhooks"),
  trigger_other_flows: flag(true, "Whether the change fires automations"),
  silent: flag(false, "Suppresses notifications")
}

export const recordCollection = {
  record_collection: unset(Reference.annotate({ description: "Action-output reference to a record collection" }))
}

const CallArgument = Schema.Struct({
  id: token.pipe(withDefault("")),
  variable_def: CustomDef,
  assignment_type: Schema.Literals(["set", "set_code"]).pipe(withDefault("set")),
  value: template,
  code
})
export type CallArgument = typeof CallArgument.Type
export const call = {
  automation_id: unset(Id),
  call_arguments: list(CallArgument, sizes.arguments).pipe(withDefault([]))
}

const RefCollectionDef = Schema.Struct({
  id: token.pipe(withDefault("")),
  direction: Schema.Literals(["outgoing", "incoming", "both"]),
  match_type: Schema.Literals(["all", "filtered"]),
  app_id: unset(Id),
  via_field_ids: unset(list(Id, sizes.ids)),
  match_condition: filterOrNull.pipe(withDefault<typeof filterOrNull>(null))
})
export type RefCollectionDef = typeof RefCollectionDef.Type
export const refCollectionDefs = {
  ref_collection_defs: list(RefCollectionDef, sizes.definitionList).pipe(withDefault([]))
}

export const matchCondition = filterOrNull.pipe(withDefault<typeof filterOrNull>(null))

export const mail = {
  to_address: template,
  cc_address: template,
  bcc_address: template,
  reply_address: template,
  from_address: template,
  from_name: template,
  subject: template,
  message_body: template,
  smtp_account_id: unset(Id),
  attach_files_variable_defs: list(Reference, sizes.definitionList).pipe(withDefault([])),
  attach_files_match_type: Schema.Literals(["all", "filtered", "most_recent", "most_recent_filtered"]).pipe(
    withDefault("all")
  ),
  attach_files_match_condition: matchCondition
}

const Header = Schema.Struct({ id: token.pipe(withDefault("")), key: line, value: template })
export const request = {
  http_call_type: unset(Schema.Literals(["get", "post", "put", "patch", "delete"])),
  http_call_url: template,
  http_call_headers: list(Header, sizes.definitionList).pipe(withDefault([])),
  http_call_body: template,
  http_call_follow_redirects: flag(false)
}
export const requestNeeds = [
  { key: "http_call_type", code: "action_value_missing" },
  { key: "http_call_url", code: "action_value_missing" }
] as const

/** Of collect actions; a larger stored limit is kept and truncated at run time. */
export const Limit = Schema.Int.check(Schema.isGreaterThan(0))
