// `single_date`: a date, with a time if the settings allow one (developer-api.md 3.2).
import { Result, Schema } from "effect"
import type { Cell } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { dateGroups } from "../grouping/dateGroups.ts"
import {
  DateEntryView,
  dateFilter,
  dateSettings,
  momentOf,
  partsOf,
  renderDate,
  singleDays,
  storedDateKind
} from "../kinds/dateFields.ts"
import { noCell } from "../sql/predicates.ts"

const SingleDateSettings = Schema.Struct(dateSettings)

export const singleDate: AssignableType<"dates", typeof SingleDateSettings.Type> = {
  ...storedDateKind,
  tag: "single_date",
  label: "Date",
  settings: SingleDateSettings,
  input: Schema.Union([
    Schema.String.annotate({ description: "`YYYY-MM-DD`, or `YYYY-MM-DD HH:mm` where the field has a time" }),
    Schema.Struct({ start: Schema.String }).annotate({ identifier: "DateInput" })
  ]),
  parse: (input, field) => {
    if (input === "") return Result.succeed<Cell>([])
    return Result.gen(function* () {
      const { start, end } = yield* partsOf(input, ["start"])
      if (end !== undefined) return yield* Result.fail("must be one date")
      return [{ start: yield* momentOf(start, field.settings.time) }]
    })
  },
  render: (entry) => renderDate(entry, false),
  entry: DateEntryView,
  groups: dateGroups,
  keys: "day",
  filter: { ...dateFilter, passes: singleDays, empty: noCell }
}
