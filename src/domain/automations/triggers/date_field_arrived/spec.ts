// Trigger `date_field_arrived` (developer-api.md 7.5): the instant is the field's value plus or minus the offset.
import { Schema } from "effect"
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { isWrittenDate } from "../../../records/fields/registry.ts"
import { TimeOfDay } from "../../schema/clockTimes.ts"
import { unset, withDefault } from "../../schema/combinators.ts"
import { trigger } from "../spec.ts"

export const date_field_arrived = trigger({
  type: "date_field_arrived",
  label: "Date arrived",
  description: "The value of a date field arrives, or is a given time away",
  context: "record",
  firedBy: [],
  config: {
    date_field_id: unset(Id),
    date_part: Schema.Literals(["start", "end"]).pipe(withDefault("start")),
    offset_direction: Schema.Literals(["at", "before", "after"]).pipe(withDefault("at")),
    offset_amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })).pipe(withDefault(0)),
    offset_unit: Schema.Literals(["minute", "hour", "day", "week", "month"]).pipe(withDefault("day")),
    time_of_day: TimeOfDay.annotate({ description: "For values without a time, in the automation's zone" }).pipe(
      withDefault("00:00")
    )
  },
  *check(config, model) {
    const field_id = config.date_field_id
    if (field_id === undefined) {
      yield { code: "trigger_variable_missing", message: "`date_field_id` is not set." }
      return
    }
    const field = model.fields.get(field_id)
    if (field === undefined || field.app_id !== model.app_id) {
      yield { code: "trigger_variable_missing", message: `The app has no field ${field_id}.`, field_id }
    } else if (!isWrittenDate(field)) {
      const message = `Field ${field_id} is of type ${field.field_type}, not a date.`
      yield { code: "trigger_date_field_not_date", message, field_id }
    }
  }
})
