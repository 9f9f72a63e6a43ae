// Config keys of steps that send a mail (developer-api.md 7.6, 6).
import { Schema } from "effect"
import { list, sizes } from "../../../../platform/bounds/sized.ts"
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { unset, withDefault } from "../../schema/combinators.ts"
import { Reference, template, templateWithSecrets } from "../../schema/dynamicValues.ts"
import { matchCondition } from "./collectionConfig.ts"

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
