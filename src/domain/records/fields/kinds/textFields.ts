// Shared members of text fields (developer-api.md 3.2).
import { Schema } from "effect"
import type { FieldFilter } from "../contract/FieldFilter.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { valued } from "../contract/shapes.ts"
import { textTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { noCell, when } from "../sql/predicates.ts"
import { NoSettings } from "./noSettings.ts"

export const plainTextFilter: FieldFilter = {
  matchTypes: matchTypes.text,
  test: (filter) => textTest(filter, true),
  passes: when("text", ({ firstText, mayMatch, sql, textMatches }, { field_id }, test) => {
    const value = firstText(field_id)
    return sql`(${mayMatch(value, test)} AND ${textMatches(value, test)})`
  }),
  empty: noCell
}

export const textKind = {
  kind: "text",
  type: "text",
  channels: ["text"],
  operators: "TEXT",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: NoSettings,
  render: (entry) => ({ value: entry }),
  entry: valued(Schema.String)
} satisfies Partial<AssignableType<"text">>
