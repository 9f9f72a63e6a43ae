// Normalizes filters, and values in which filters may stand, for storage (service.md 2.7 normalization rule 1, developer-api.md 7.4): every
// row gets an id, the root of a filter none; flags of metadata references are kept only when true.
import type { FilterGroup, FilterRow } from "../model/Definition.ts"
import { isGroup } from "../schema/Filter.ts"
import { isFilterGroup, isPlainObject } from "../schema/walk.ts"
import { type Mint, nodeId } from "./nodeIds.ts"

/** Normalizes a filter from its root. */
export const normalizeFilter = (group: FilterGroup, mint: Mint): FilterGroup => ({
  operator: group.operator,
  rows: group.rows.map((row) => normalizeRow(row, mint))
})
const normalizeRow = (row: FilterRow, mint: Mint): FilterRow => {
  const id = nodeId(row, mint)
  if (isGroup(row)) return { id, ...normalizeFilter(row, mint) }
  const { id: _, ...rest } = normalizeValue(row, mint) as Exclude<FilterRow, FilterGroup>
  return { id, ...rest } as FilterRow
}

const metaFlags: ReadonlySet<string> = new Set(["previous", "collection", "triggering"])
export const normalizeValue = (value: unknown, mint: Mint): unknown => {
  if (isFilterGroup(value)) return normalizeFilter(value, mint)
  if (Array.isArray(value)) return value.map((item) => normalizeValue(item, mint))
  if (!isPlainObject(value)) return value
  const meta = value["kind"] === "variable" && value["source"] === "meta"
  const kept = Object.entries(value).filter(([key, item]) => !(meta && item === false && metaFlags.has(key)))
  return Object.fromEntries(kept.map(([key, item]) => [key, normalizeValue(item, mint)]))
}
