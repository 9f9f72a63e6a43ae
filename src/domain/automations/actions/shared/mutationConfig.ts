// Common mutation keys of the configs of steps that change records (developer-api.md 7.6 **M**).
import { flag, unset } from "../../schema/combinators.ts"
import { IdOrReference } from "../../schema/dynamicValues.ts"

/** **M**: the common keys of steps that change records (developer-api.md 7.6); defaults of 1.9. */
export const mutation = {
  author_id: unset(
    IdOrReference.annotate({ description: "User id or reference; the automation itself when left out" })
  ),
  trigger_webhooks: flag(true, "Whether the change sends webhooks"),
  trigger_other_flows: flag(true, "Whether the change fires automations"),
  silent: flag(false, "Suppresses notifications")
}
