// Lists the filters that a listing offers for a field (developer-api.md 4.4), in words, and the kind of value that each takes.
import type { Field, RecordFilter } from "../../api/types.ts"
import { filterWords as texts } from "../../texts/records/recordsWords.ts"

type Match = RecordFilter["match_type"]
type Given = "nothing" | "text" | "number" | "date" | "option" | "user" | "period"

export interface Ask {
  readonly match: Match
  readonly words: string
  readonly given: Given
}

const ask = (match: Match, words: string, given: Given): Ask => ({ match, words, given })

const presence = [ask("empty", texts.isEmpty, "nothing"), ask("not_empty", texts.isNotEmpty, "nothing")]
const partly = [
  ask("contains", texts.contains, "text"),
  ask("not_contains", texts.doesNotContain, "text"),
  ask("starts_with", texts.startsWith, "text"),
  ask("ends_with", texts.endsWith, "text")
]
const text = [...partly, ask("equal", texts.isExactly, "text"), ask("not_equal", texts.isNotExactly, "text")]
const number = [
  ask("equal", texts.is, "number"),
  ask("not_equal", texts.isNot, "number"),
  ask("larger", texts.isMoreThan, "number"),
  ask("larger_or_equal", texts.isAtLeast, "number"),
  ask("smaller", texts.isLessThan, "number"),
  ask("smaller_or_equal", texts.isAtMost, "number")
]
const date = [
  ask("within", texts.isWithin, "period"),
  ask("equal", texts.isOn, "date"),
  ask("before", texts.isBefore, "date"),
  ask("after", texts.isAfter, "date"),
  ask("on_or_before", texts.isOnOrBefore, "date"),
  ask("on_or_after", texts.isOnOrAfter, "date")
]
const singleOptionAsks = [ask("equal", texts.is, "option"), ask("not_equal", texts.isNot, "option")]
const many = [ask("any", texts.has, "option"), ask("none", texts.doesNotHave, "option")]

const resultOf = (settings: Field["config"]["settings"]) =>
  (settings as { readonly result: "text" | "number" | "date" | "boolean" }).result

const asks: Partial<Record<Field["field_type"], ReadonlyArray<Ask>>> = {
  single_text: text,
  multi_text: text,
  single_attachment: partly,
  multi_attachment: partly,
  multi_image: partly,
  number,
  unique_id: number,
  single_date: date,
  range_date: date,
  created_at: date,
  last_modified_at: date,
  status: [
    ...singleOptionAsks,
    ask("completed", texts.meansCompleted, "nothing"),
    ask("incomplete", texts.meansNotCompleted, "nothing")
  ],
  single_category: singleOptionAsks,
  multi_category: many,
  single_user: [ask("equal", texts.is, "user"), ask("not_equal", texts.isNot, "user")],
  multi_user: [ask("any", texts.has, "user"), ask("none", texts.doesNotHave, "user")],
  multi_email: partly,
  multi_phone: partly,
  multi_link: partly,
  single_location: partly.slice(0, 2)
}

/** A calculation is asked as its result is. */
const asksOfResult = { text, number, date, boolean: [ask("equal", texts.isTrueOrFalse, "text")] }

/** Every field can be asked whether it is empty; the number of a record never is. */
export const asksOf = ({ config, field_type }: Field): ReadonlyArray<Ask> => {
  if (field_type === "unique_id") return number
  const typeOperators = field_type === "calculation" ? asksOfResult[resultOf(config.settings)] : asks[field_type]
  return [...(typeOperators ?? []), ...presence]
}

export const optionsOf = (field: Field): ReadonlyArray<{ readonly id: number; readonly text: string }> =>
  "options" in field.config.settings ? (field.config.settings.options as Array<{ id: number; text: string }>) : []

export const periods = texts.periods

const typeOf = (field: Field): RecordFilter["type"] =>
  field.field_type === "unique_id" ? "number" : (field.type as RecordFilter["type"])

/** @param value as the form holds it; "me" of a user is whoever looks */
export const filterOf = (field: Field, { given, match }: Ask, value: string): RecordFilter => {
  const base = { field_id: field.field_id, type: typeOf(field), field_type: field.field_type, match_type: match }
  const baseFilter = base as RecordFilter
  switch (given) {
    case "nothing":
      return baseFilter
    case "number":
    case "option":
      return { ...baseFilter, values: [{ value: Number(value) }] }
    case "user":
      return value === "me"
        ? { ...baseFilter, values: [], include_active_user: true }
        : { ...baseFilter, values: [{ value: Number(value) }] }
    case "date":
      return { ...baseFilter, values: [{ value: { date: value } }], relative_date_type: "exact_date" }
    case "period":
      return { ...baseFilter, relative_date_range_type: value as keyof typeof periods }
    case "text":
      return { ...baseFilter, values: [{ value }] }
  }
}
