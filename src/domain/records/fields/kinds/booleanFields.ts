// Values that are true or false, stored as these words (developer-api.md 11.3): how record filters compare them.
import { Result } from "effect"
import type { FieldFilter } from "../contract/FieldFilter.ts"
import { valuesOf } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { noCell, when } from "../sql/predicates.ts"

export const booleanFilter: FieldFilter = {
  matchTypes: matchTypes.boolean,
  otherTypes: ["boolean"],
  test: (filter) => {
    const values = valuesOf(filter).map(String)
    const [value] = values
    return values.length !== 1 || (value !== "true" && value !== "false")
      ? Result.fail("values: must hold true or false")
      : Result.succeed({ is: "text", how: "equal", text: value, cased: true })
  },
  passes: when("text", ({ firstText, sql }, { field_id }, { text }) => sql`${firstText(field_id)} = ${text}::text`),
  empty: noCell
}
