// The record filter with its words (developer-api.md 4.4), which the endpoints take as texts: what fits which field is judged, and
// explained, where fields are known.
import { Schema } from "effect"
import type { FieldType } from "../../domain/records/fields/contract/FieldType.ts"
import * as Dates from "../../domain/records/fields/matching/dateTests.ts"
import { matchTypes, presence } from "../../domain/records/fields/matching/matchTypes.ts"
import { entryProperties, fieldless, RecordFilter } from "../../domain/records/fields/matching/RecordFilter.ts"
import { fieldTypes, fieldTypeTags } from "../../domain/records/fields/registry.ts"

const words = (all: ReadonlyArray<string>) => Schema.Literals([...new Set(all)])
const optional = (all: ReadonlyArray<string>) => Schema.optionalKey(words(all))

const Operand = Schema.Union([
  Schema.String,
  Schema.Finite,
  Schema.Boolean,
  Schema.Struct({
    date: Schema.optionalKey(Schema.String),
    offset_amount: Schema.optionalKey(Schema.Int),
    end_date: Schema.optionalKey(Schema.String)
  })
]).annotate({ identifier: "RecordFilterOperand" })

/** Names of a filter's field type. */
const types = Object.values<FieldType>(fieldTypes).flatMap(({ filter, olderName, type }) => [
  type,
  ...(olderName === undefined ? [] : [olderName]),
  ...(filter.otherTypes ?? [])
])

export const filterShapes = {
  RecordFilter: Schema.Struct({
    ...RecordFilter.fields,
    type: words([...types, ...fieldless]),
    match_type: words([...presence, ...Object.values(matchTypes).flat()]),
    values: Schema.optionalKey(Schema.Array(Schema.Struct({ value: Operand }))),
    field_type: optional(fieldTypeTags),
    entry_property: optional(entryProperties),
    relative_date_type: optional(Dates.relativeDateTypes),
    relative_date_range_type: optional(Dates.relativeDateRangeTypes),
    weekday: optional(Dates.weekdays),
    quarter_of_year: optional(Dates.quarters),
    month_of_year: optional(Dates.monthNames)
  }).annotate({
    identifier: "RecordFilter",
    description: "Lists of filters are ANDs; what fits a field depends on its type"
  })
}
