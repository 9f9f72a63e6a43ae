// Trigger `record_updated` (service.md 2.7 trigger rule 4): `null` fires on any change, a list on these fields, `[]` never.
import { Schema } from "effect"
import { list, sizes } from "../../../../platform/bounds/sized.ts"
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { withDefault } from "../../schema/combinators.ts"
import { trigger } from "../spec.ts"

export const record_updated = trigger({
  type: "record_updated",
  label: "Record updated",
  description: "A record is updated, optionally only when certain fields change",
  context: "record",
  firedBy: ["record.update"],
  config: {
    trigger_on_changes_field_ids: Schema.NullOr(list(Id, sizes.ids))
      .annotate({ description: "null: any field; a list: one of these; an empty list never fires" })
      .pipe(withDefault<Schema.NullOr<Schema.$Array<typeof Id>>>(null))
  },
  *check(config, model) {
    const ids = config.trigger_on_changes_field_ids
    if (ids === null) return
    if (ids.length === 0) {
      yield {
        code: "trigger_updated_fields_empty",
        message: "The list of fields is empty, so that nothing fires; name a field, or send null for any change."
      }
    }
    for (const field_id of ids) {
      if (model.fields.get(field_id)?.app_id !== model.app_id) {
        yield { code: "trigger_variable_missing", message: `The app has no field ${field_id}.`, field_id }
      }
    }
  }
})
