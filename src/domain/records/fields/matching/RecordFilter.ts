// The wire shape of a record filter (developer-api.md 4.4). What fits a field is judged by resolveFilters.ts; lists are ANDs.
import { Schema } from "effect"
import { isMaxNodes } from "../../../../platform/bounds/Bounds.ts"
import { json, list, sizes, token } from "../../../../platform/bounds/sized.ts"

const text = Schema.optionalKey(token)

export const RecordFilter = Schema.Struct({
  field_id: Schema.optionalKey(Schema.Int),
  type: token,
  match_type: token,
  values: Schema.optionalKey(list(Schema.Struct({ value: json(100) }), sizes.ids)),
  field_type: text,
  entry_property: text,
  include_active_user: Schema.optionalKey(Schema.Boolean),
  relative_date_type: text,
  relative_date_range_type: text,
  end_date: text,
  weekday: text,
  quarter_of_year: text,
  month_of_year: text,
  timezone: Schema.optionalKey(
    token.annotate({
      description:
        "An IANA zone for the days of this filter: in place of the request's for relative dates, of UTC for others"
    })
  )
}).annotate({ identifier: "RecordFilter" })
export type RecordFilter = typeof RecordFilter.Type

export const RecordFilters = list(RecordFilter, sizes.filters).check(isMaxNodes(sizes.filterValues))
export type RecordFilters = ReadonlyArray<RecordFilter>

/** Filter that fits its field, ready to test records. Negated ones match if the positive one does not. */
export type Test =
  | { readonly is: "empty" }
  | {
      readonly is: "text"
      readonly how: "equal" | "contains" | "starts_with" | "ends_with"
      readonly text: string
      readonly cased: boolean
    }
  | { readonly is: "number"; readonly comparator: "=" | "<" | "<=" | ">" | ">="; readonly value: number }
  | { readonly is: "ids"; readonly how: "any" | "all" | "exactly"; readonly ids: ReadonlyArray<number> }
  /** Days `YYYY-MM-DD`, both included; with `overlap` a range counts by any of its days, else by its first. */
  | {
      readonly is: "days"
      readonly from: string | null
      readonly to: string | null
      readonly overlap: boolean
      /** The days of a zone other than UTC, for values with a time: from this moment until just before that one. */
      readonly moments?: { readonly from: string | null; readonly before: string | null }
    }
  | { readonly is: "calendar"; readonly unit: "isodow" | "quarter" | "month"; readonly value: number }
  /** Instants from `from` (included) to `before` (excluded). */
  | { readonly is: "instants"; readonly from: Date | null; readonly before: Date | null }
  /** All entries of a checklist are done, or some entry is open. */
  | { readonly is: "done"; readonly done: boolean }

export const fieldless = ["created_at", "last_modified_at", "app_record_id"] as const
export type Fieldless = (typeof fieldless)[number]

export interface RecordCondition {
  readonly subject: { readonly fieldId: number } | { readonly meta: Fieldless }
  /** A checklist entry's property: some entry must pass. */
  readonly property?: EntryProperty
  readonly test: Test
  readonly negate: boolean
}

export const entryProperties = ["title", "assignee", "status", "due_date"] as const
export type EntryProperty = (typeof entryProperties)[number]
