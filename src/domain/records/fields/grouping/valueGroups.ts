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

const numeric = {
  key: ({ lit }) => lit("trim_scale(v.value)::text"),
  order: ({ lit }) => ({ expression: lit("g.key::numeric"), type: "numeric" }),
  cell: (key) => [Number(key)],
  condition: (key) => equal(Number(key))
} satisfies Partial<FieldGroups>

export const numberGroups: FieldGroups = {
  ...numeric,
  value: (groupSql, { field_id }) =>
    keyedValue(groupSql, field_id, "k.number", groupSql.firstNumber(field_id, "numeric"))
}

export const uniqueIdGroups: FieldGroups = {
  ...numeric,
  value: ({ lit }) => ({ value: lit("r.app_record_id::numeric") })
}

/** True comes first. */
export const booleanGroups: FieldGroups = {
  value: ({ firstText }, { field_id }) => ({ value: firstText(field_id) }),
  key: ({ lit }) => lit("v.value"),
  order: ({ lit }) => ({ expression: lit("CASE g.key WHEN 'true' THEN 0 ELSE 1 END::numeric"), type: "numeric" }),
  cell: (key) => [key],
  condition: equal
}
