// `single_date`: a date, with a time where the settings allow one (developer-api.md 3.2).
import { Result, Schema } from "effect"
import type { Cell } from "../../../../ground/primitives/Cell.ts"
import { dateSettings, dateText, dateTitle, momentOf, partsOf, renderDate } from "../kinds/dates.ts"
import type { FieldType } from "../model/FieldType.ts"

const SingleDateSettings = Schema.Struct(dateSettings)

export const singleDate: FieldType<typeof SingleDateSettings.Type> = {
  tag: "single_date",
  type: "date",
  label: "Date",
  channel: "date",
  operators: "DATE",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: SingleDateSettings,
  parse: (input, field) => {
    if (input === "") return Result.succeed<Cell>([])
    return Result.gen(function* () {
      const { start, end } = yield* partsOf(input, ["start"])
      if (end !== undefined) return yield* Result.fail("must be one date")
      return [{ start: yield* momentOf(start, field.settings.time) }]
    })
  },
  render: (entry) => renderDate(entry, false),
  text: dateText,
  title: dateTitle
}
