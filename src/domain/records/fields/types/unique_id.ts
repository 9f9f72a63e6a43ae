// `unique_id`: the record's `app_record_id`, not repeated among its fields (developer-api.md 3.3, 4.1).
import { Effect, Schema } from "effect"
import type { ComputedType } from "../contract/FieldType.ts"
import { uniqueIdGroups } from "../grouping/valueGroups.ts"
import { refuseWrite } from "../input/writeInput.ts"
import { numberKind } from "../kinds/numberFields.ts"
import type { Field } from "../model/Field.ts"
import { when } from "../sql/predicates.ts"

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

export const uniqueId: ComputedType<"number", UniqueIdSettings> = {
  ...numberKind,
  tag: "unique_id",
  label: "Unique ID",
  assignable: false,
  unlisted: true,
  fact: "app_record_id",
  settings: UniqueIdSettings,
  parse: refuseWrite,
  compute: ({ app_record_id }) => [app_record_id],
  render: () => null,
  title: ([entry], field) => padded(entry as number, field),
  numberedTitle: ({ settings }) => ({ prefix: settings.prefix ?? "", digits: settings.min_digits }),
  groups: uniqueIdGroups,
  filter: {
    ...numberKind.filter,
    passes: when("number", ({ lit, numberIs }, _, test) => numberIs(lit("r.app_record_id"), test)),
    empty: ({ never }) => never
  },
  sortKey: ({ lit }) => ({ expression: lit("r.app_record_id"), type: "bigint" })
}
