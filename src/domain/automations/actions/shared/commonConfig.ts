// Keys that the configs of several action types share (developer-api.md 7.6).
import { Schema } from "effect"
import { list, sizes, token } from "../../../../platform/bounds/sized.ts"
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { flag, unset, withDefault } from "../../schema/combinators.ts"
import { CustomDef, code, IdOrReference, Reference, template, templateWithSecrets } from "../../schema/dynamicValues.ts"
import { filterOrNull } from "../../schema/Filter.ts"

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
}).annotate({ identifier: "CallArgument" })
export type CallArgument = typeof CallArgument.Type
export const call = {
  automation_id: unset(Id),
  call_arguments: list(CallArgument, sizes.arguments).pipe(withDefault([])),
  wait_for_result: unset(
    Schema.Boolean.annotate({
      description:
        "Waits for the called run, takes its variables over and fails with it; of many, lists in the order of the records"
    })
  )
}

const RefCollectionDef = Schema.Struct({
  id: token.pipe(withDefault("")),
  direction: Schema.Literals(["outgoing", "incoming", "both"]),
  match_type: Schema.Literals(["all", "filtered"]),
  app_id: unset(Id),
  via_field_ids: unset(list(Id, sizes.ids)),
  match_condition: filterOrNull.pipe(withDefault<typeof filterOrNull>(null))
}).annotate({ identifier: "RefCollectionDef" })
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
  subject: templateWithSecrets,
  message_body: templateWithSecrets,
  smtp_account_id: unset(Id),
  attach_files_variable_defs: list(Reference, sizes.definitionList).pipe(withDefault([])),
  attach_files_match_type: Schema.Literals(["all", "filtered", "most_recent", "most_recent_filtered"]).pipe(
    withDefault("all")
  ),
  attach_files_match_condition: matchCondition
}

/** Limit of collect actions; a larger stored limit is kept and truncated at run time. */
export const Limit = Schema.Int.check(Schema.isGreaterThan(0))
