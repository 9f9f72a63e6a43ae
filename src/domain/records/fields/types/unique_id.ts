// `unique_id`: the record's `app_record_id`, not repeated among its fields (developer-api.md 3.3, 4.1).
import { Effect, Schema } from "effect"
import { refuseWrite } from "../kinds/computed.ts"
import type { Field, FieldType } from "../model/FieldType.ts"

const UniqueIdSettings = Schema.Struct({
  min_digits: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(1))
  ),
  prefix: Schema.NullOr(Schema.String.check(Schema.isMaxLength(50))).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  )
})
type UniqueIdSettings = typeof UniqueIdSettings.Type

/** `INV-0042`: padded and prefixed, as titles and people see it. */
const padded = (value: number, { settings }: Field<UniqueIdSettings>) =>
  `${settings.prefix ?? ""}${String(value).padStart(settings.min_digits, "0")}`

export const uniqueId: FieldType<UniqueIdSettings> = {
  tag: "unique_id",
  type: "number",
  label: "Unique ID",
  channel: "number",
  operators: "NUM",
  assignable: false,
  multiple: false,
  titleCapable: true,
  settings: UniqueIdSettings,
  parse: refuseWrite,
  compute: ({ app_record_id }) => [app_record_id],
  render: () => null,
  text: (entry) => String(entry),
  title: ([entry], field) => padded(entry as number, field)
}
