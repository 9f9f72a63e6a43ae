// Contract between groups of records (developer-api.md 11.6) and a field type: which records are together, in which order groups stand, and
// the condition that lists a group's records.
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import type { Cell } from "../../../../platform/primitives/Cell.ts"
import type { RecordFilter } from "../matching/RecordFilter.ts"
import type { Field } from "../model/Field.ts"
import type { SortKey, SortSql } from "../sql/sortKey.ts"

export const GroupUnit = Schema.Literals(["day", "month", "year"]).annotate({
  description: "Span of time that a group of dates covers; other fields have none"
})
export type GroupUnit = typeof GroupUnit.Type

/** Span of a group of dates, and the zone whose days count for values with a time. */
export interface GroupSpan {
  readonly unit: GroupUnit
  readonly zone: string
}

export interface GroupSql extends SortSql, GroupSpan {
  /** True if the field's keys (`record_keys`, migration 0044) are complete: they are shorter to read than records. */
  readonly isKeyed: boolean
  /** Trimmed, runs of white space as one blank. */
  readonly collapseBlanks: (value: Statement.Fragment) => Statement.Fragment
}

/** Value of the field in `records r`, where needed with a join of `k`, which holds it in place of the record. */
interface GroupedValue {
  readonly join?: Statement.Fragment
  readonly value: Statement.Fragment
}

export interface FieldGroups<S = any> {
  readonly value: (sql: GroupSql, field: Field<S>) => GroupedValue
  /** Name of the group that the value `v.value` is in, as text; null: that of empty fields. Asked once for each value, not for each record. */
  readonly key: (sql: GroupSql, field: Field<S>) => Statement.Fragment
  /** Place of the group `g.key` among the others, never null. */
  readonly order: (sql: GroupSql, field: Field<S>) => SortKey
  /** The field's entries in a record of the group; of dates the first day. */
  readonly cell: (key: string) => Cell
  /** Members of the record filter that exactly the group's records pass. */
  readonly condition: (key: string, span: GroupSpan) => Omit<RecordFilter, "field_id" | "type">
}
