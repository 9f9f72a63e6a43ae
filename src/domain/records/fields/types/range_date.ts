// `range_date`: a start and, as the settings say, an end that is not before it (developer-api.md 3.2).
import { Effect, Result, Schema } from "effect"
import type { Cell } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { dateGroups } from "../grouping/dateGroups.ts"
import { periodProblem } from "../input/moments.ts"
import {
  dateFilter,
  dateSettings,
  momentOf,
  partsOf,
  RangeEntryView,
  rangeDays,
  renderDate,
  storedDateKind
} from "../kinds/dateFields.ts"
import { noCell } from "../sql/predicates.ts"

const RangeDateSettings = Schema.Struct({
  ...dateSettings,
  end: Schema.Literals(["enabled", "required"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("enabled" as const)))
})

export const rangeDate: AssignableType<"dates", typeof RangeDateSettings.Type> = {
  ...storedDateKind,
  tag: "range_date",
  label: "Date range",
  range: true,
  settings: RangeDateSettings,
  input: Schema.Union([
    Schema.String.annotate({
      description: "`YYYY-MM-DD - YYYY-MM-DD`, with times where the field has them; or one date"
    }),
    Schema.Struct({ start: Schema.String, end: Schema.optionalKey(Schema.NullOr(Schema.String)) }).annotate({
      identifier: "DateRangeInput"
    })
  ]),
  parse: (input, field) => {
    if (input === "") return Result.succeed<Cell>([])
    return Result.gen(function* () {
      const parts = yield* partsOf(input, ["start", "end"])
      const start = yield* momentOf(parts.start, field.settings.time)
      const end = parts.end === undefined ? undefined : yield* momentOf(parts.end, field.settings.time)
      const problem = periodProblem(start, end, field.settings.end)
      if (problem !== null) return yield* Result.fail(problem)
      return end === undefined ? [{ start }] : [{ start, end }]
    })
  },
  render: (entry) => renderDate(entry, true),
  entry: RangeEntryView,
  groups: dateGroups,
  keys: "day",
  filter: { ...dateFilter, passes: rangeDays, empty: noCell }
}
