// The table of developer-api.md 4.4: which words of `match_type` each sort of field knows.

export const presence = ["empty", "not_empty"]
const partial = ["contains", "not_contains", "starts_with", "ends_with"]
const singleValue = ["equal", "not_equal", "any", "none"]
const relativeDate = ["equal", "not_equal", "before", "after", "on_or_before", "on_or_after", "within"]
export const calendar = ["on_weekday", "in_quarter_of_year", "in_month_of_year"]

export const matchTypes = {
  /** Case counts for `equal` and `not_equal` (3.4, decisions A11), but not of files. */
  text: ["equal", "not_equal", ...partial],
  number: ["equal", "not_equal", "smaller", "smaller_or_equal", "larger", "larger_or_equal"],
  boolean: ["equal", "not_equal"],
  one: singleValue,
  status: [...singleValue, "completed", "incomplete"],
  many: ["equal", "contains", "any", "none"],
  date: [...relativeDate, ...calendar],
  contact: ["fully_includes", ...partial],
  link: partial,
  location: ["contains", "not_contains"],
  entryTitle: ["contains", "not_contains"],
  entryAssignee: ["equal", "not_equal"],
  entryStatus: ["equal"],
  entryDueDate: relativeDate,
  /** Field-less filters on times know absolute days and instants only. */
  absolute: ["equal", "not_equal", "before", "after", "on_or_before", "on_or_after"]
} satisfies Record<string, ReadonlyArray<string>>
