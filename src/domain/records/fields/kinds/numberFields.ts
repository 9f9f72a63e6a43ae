// Shared members of number fields (developer-api.md 3.2, 3.3).
import type { FieldType } from "../contract/FieldType.ts"
import { numberTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { noCell, when } from "../sql/predicates.ts"
import { heldNumber } from "../sql/sortKey.ts"

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
    passes: when("number", ({ lit, numberIs }, { field_id }, test) =>
      numberIs(lit(heldNumber(field_id, "numeric")), test)
    ),
    empty: noCell
  }
} satisfies Partial<FieldType<"number">>
