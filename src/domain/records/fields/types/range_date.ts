// `range_date`: a start and, as the settings say, an end that is not before it (developer-api.md 3.2).
import { Effect, Result, Schema } from "effect"
import type { Cell } from "../../../../ground/primitives/Cell.ts"
import { dateSettings, dateText, dateTitle, isTimed, momentOf, partsOf, renderDate } from "../kinds/dates.ts"
import type { FieldType } from "../model/FieldType.ts"

const RangeDateSettings = Schema.Struct({
  ...dateSettings,
  end: Schema.Literals(["enabled", "required"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("enabled" as const)))
})

export const rangeDate: FieldType<typeof RangeDateSettings.Type> = {
  tag: "range_date",
  type: "date",
  label: "Date range",
  channel: "date",
  operators: "DATE",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: RangeDateSettings,
  parse: (input, field) => {
    if (input === "") return Result.succeed<Cell>([])
    return Result.gen(function* () {
      const parts = yield* partsOf(input, ["start", "end"])
      const start = yield* momentOf(parts.start, field.settings.time)
      if (parts.end === undefined) {
        return field.settings.end === "required" ? yield* Result.fail("must have an end") : [{ start }]
      }
      const end = yield* momentOf(parts.end, field.settings.time)
      if (isTimed(start) !== isTimed(end)) return yield* Result.fail("must have a time on both sides or on none")
      return end < start ? yield* Result.fail("must not end before it starts") : [{ start, end }]
    })
  },
  render: (entry) => renderDate(entry, true),
  text: dateText,
  title: dateTitle
}
