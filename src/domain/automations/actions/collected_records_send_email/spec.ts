// Action `collected_records_send_email` (developer-api.md 7.6): one mail per collected record; nothing required.
import { flag } from "../../schema/combinators.ts"
import { recordCollection } from "../shared/collectionConfig.ts"
import { mail } from "../shared/mailConfig.ts"
import { action } from "../spec.ts"

export const collected_records_send_email = action({
  type: "collected_records_send_email",
  label: "Send email for collected records",
  scopes: ["email:send"],
  description: "Sends an email for every collected record",
  consumes: "or_loop_item",
  kind: "outside",
  config: { ...mail, ...recordCollection, fields_expanded: flag(false, "Layout flag of the editor") }
})
