// The value of a field that groups go by: from its key, where the app's field has an index, else from the cell.
import type { Statement } from "effect/sql"
import type { FieldGroups, GroupSql } from "../contract/FieldGroups.ts"

/**
 * @param column of the key `k`
 * @param cell the same value, read from the record `r`
 */
export const keyedValue = (
  { isKeyed, lit, sql }: GroupSql,
  fieldId: number,
  column: string,
  cell: Statement.Fragment
): ReturnType<FieldGroups["value"]> =>
  isKeyed
    ? {
        join: sql`LEFT JOIN record_keys k ON k.field_id = ${fieldId}::bigint AND k.record_id = r.record_id`,
        value: lit(column)
      }
    : { value: cell }
