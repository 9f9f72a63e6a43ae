// Shared members of number fields (developer-api.md 3.2, 3.3).
import type { FieldType } from "../contract/FieldType.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { numberTest } from "../matching/tests.ts"
import { noCell, when } from "../sql/predicates.ts"

export const numberKind = {
  kind: "number",
  type: "number",
  channels: ["number"],
  operators: "NUM",
  multiple: false,
  titleCapable: true,
  text: (entry) => String(entry),
  compared: (cell) => ({ set: "NUM", number: (cell[0] as number | undefined) ?? null }),
  filter: {
    matchTypes: matchTypes.number,
    test: numberTest,
    passes: when("number", ({ firstText, numberIs, sql }, { field_id }, test) =>
      numberIs(sql`${firstText(field_id)}::numeric`, test)
    ),
    empty: noCell
  }
} satisfies Partial<FieldType<"number">>
