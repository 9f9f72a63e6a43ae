// Groups by texts, numbers, and values that are true or false (developer-api.md 11.6).
import type { FieldGroups } from "../contract/FieldGroups.ts"
import { keyedValue } from "./keyedValue.ts"

const equal = (value: string | number) => ({ match_type: "equal", values: [{ value }] })

/** Texts that differ in blanks alone are together, as conditions compare them (decisions A11). */
export const textGroups: FieldGroups = {
  value: ({ firstText }, { field_id }) => ({ value: firstText(field_id) }),
  key: ({ collapseBlanks, lit, sql }) => sql`nullif(${collapseBlanks(lit("v.value"))}, '')`,
  order: ({ lit, words }) => words(lit("g.key")),
  cell: (key) => [key],
  condition: equal
}

/** Numbers, as texts. */
const numeric = {
  key: ({ lit }) => lit("CASE WHEN v.value ~ '^-?[0-9]' THEN trim_scale(v.value::numeric)::text END"),
  order: ({ lit }) => ({ expression: lit("g.key::numeric"), type: "numeric" }),
  cell: (key) => [Number(key)],
  condition: (key) => equal(Number(key))
} satisfies Partial<FieldGroups>

export const numberGroups: FieldGroups = {
  ...numeric,
  // Read from the record once, as JSON: a text in its quotes is no number.
  value: (groupSql, { field_id }) =>
    keyedValue(groupSql, field_id, "k.number::text", groupSql.sql`${groupSql.first(field_id)}::text`)
}

export const uniqueIdGroups: FieldGroups = {
  ...numeric,
  value: ({ lit }) => ({ value: lit("r.app_record_id::text") })
}

/** True comes first. */
export const booleanGroups: FieldGroups = {
  value: ({ firstText }, { field_id }) => ({ value: firstText(field_id) }),
  key: ({ lit }) => lit("v.value"),
  order: ({ lit }) => ({ expression: lit("CASE g.key WHEN 'true' THEN 0 ELSE 1 END::numeric"), type: "numeric" }),
  cell: (key) => [key],
  condition: equal
}
