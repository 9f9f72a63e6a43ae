// The table of developer-api.md 4.4: which `match_type` a kind of field knows, and how its values are compared.

import { calendar } from "../fields/matching/dateTests.ts"
import type { EntryProperty } from "../fields/matching/RecordFilter.ts"
import type { Field } from "../fields/model/FieldType.ts"
import { typeOf } from "../fields/registry.ts"

export const presence = ["empty", "not_empty"]
const partial = ["contains", "not_contains", "starts_with", "ends_with"]
const relativeDate = ["equal", "not_equal", "before", "after", "on_or_before", "on_or_after", "within"]
const one = ["equal", "not_equal", "any", "none"]

export const kinds = {
  /** Case counts for `equal` and `not_equal` (3.4, decisions A11). */
  text: ["equal", "not_equal", ...partial],
  files: ["equal", "not_equal", ...partial],
  number: ["equal", "not_equal", "smaller", "smaller_or_equal", "larger", "larger_or_equal"],
  one,
  status: [...one, "completed", "incomplete"],
  many: ["equal", "contains", "any", "none"],
  date: [...relativeDate, ...calendar],
  contact: ["fully_includes", ...partial],
  link: partial,
  location: ["contains", "not_contains"],
  checklist: []
} satisfies Record<string, ReadonlyArray<string>>
export type Kind = keyof typeof kinds

export const checklistProperties: Record<EntryProperty, ReadonlyArray<string>> = {
  title: ["contains", "not_contains"],
  assignee: ["equal", "not_equal"],
  status: ["equal"],
  due_date: relativeDate
}
/** Field-less filters on times know absolute days and instants only. */
export const absolute = ["equal", "not_equal", "before", "after", "on_or_before", "on_or_after"]

/** The row that a field stands in; a calculation goes by text. */
export const kindOf = (field: Field): Kind => {
  const { type, operators } = typeOf(field)
  if (type === "attachment" || type === "image") return "files"
  const bySet = {
    TEXT: "text",
    NUM: "number",
    ONE: "one",
    STATUS: "status",
    MANY: "many",
    DATE: "date",
    LIST: "contact",
    LINK: "link",
    LOC: "location",
    CHECK: "checklist"
  } as const
  return bySet[operators]
}

/** What else `type` may say: the older aliases (3.2), and for computed fields the plain kind. */
const aliases: Readonly<Record<string, ReadonlyArray<string>>> = {
  relation: ["app"],
  user: ["contact"],
  link: ["embed"],
  attachment: ["file"],
  image: ["file"],
  created_at: ["date"],
  last_modified_at: ["date"],
  created_by: ["user", "contact"],
  last_modified_by: ["user", "contact"]
}
export const typesOf = (field: Field): ReadonlyArray<string> => {
  const { type } = typeOf(field)
  return [type, ...(aliases[type] ?? [])]
}

export const holdsUsers = (field: Field) =>
  ["user", "created_by", "last_modified_by", "checklist"].includes(typeOf(field).type)
