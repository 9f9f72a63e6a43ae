// Merges several changes of a record that fire once (developer-api.md 7.13; decisions A7). `record` is the state after the last change,
// `previous` the state before the first. `changed` holds the fields that any of them changed and that differ between the two.
import { isDeepStrictEqual } from "node:util"
import type { RecordState, TriggerData } from "../model/RunScope.ts"

const differs = (before: RecordState, after: RecordState, field: number): boolean => {
  const key = String(field)
  // A field that is computed on read has no cell: once changed, it counts as different.
  if (!(key in before.cells) && !(key in after.cells)) return true
  return !isDeepStrictEqual(before.cells[key] ?? [], after.cells[key] ?? [])
}

export const mergeChanges = (first: TriggerData, next: TriggerData): TriggerData => {
  const { changed, previous } = first
  const record = next.record
  if (record === null || previous === null || changed === null) return { ...first, record }
  const changedFields = [...new Set([...changed, ...(next.changed ?? [])])]
  return { ...first, record, changed: changedFields.filter((field) => differs(previous, record, field)) }
}
