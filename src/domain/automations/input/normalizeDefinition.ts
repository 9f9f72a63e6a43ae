// Normalizes a decoded definition for storage: gives nodes their ids, adds the group, keeps flags of metadata references only when true,
// and wraps a bare relative date of a delay (service.md 2.7 normalization rule 1, developer-api.md 7.4).
import { actionSpec } from "../actions/registry.ts"
import type { Action, AnyTrigger, FilterGroup, FilterRow } from "../model/Definition.ts"
import { isGroup } from "../schema/Filter.ts"
import { isFilterGroup, isPlainObject } from "../schema/walk.ts"
import { type Mint, nodeId } from "./nodeIds.ts"

export const normalizeAction =
  (mint: Mint) =>
  (action: Action): Action => ({
    id: nodeId(action, mint),
    type: action.type,
    group: actionSpec(action.type).group,
    ...(action.custom_name === undefined ? {} : { custom_name: action.custom_name }),
    ...(action.deactivate === undefined ? {} : { deactivate: action.deactivate }),
    ...(action.continue_on_error === undefined ? {} : { continue_on_error: action.continue_on_error }),
    ...(action.retry === undefined ? {} : { retry: action.retry }),
    config: normalizeConfig(action, mint)
  })

const normalizeConfig = (action: Action, mint: Mint): Record<string, any> => {
  const { group, normalize } = actionSpec(action.type)
  const config: Record<string, any> = {}
  for (const [key, value] of Object.entries(action.config)) {
    if (group === "control_flow" && (key === "action_rows" || key === "else_action_rows")) {
      config[key] = value.map(normalizeAction(mint))
    } else config[key] = normalizeValue(value, mint)
  }
  return normalize === undefined ? config : normalize(config)
}

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

export const normalizeTrigger = (trigger: AnyTrigger, mint: Mint): AnyTrigger =>
  normalizeValue(trigger, mint) as AnyTrigger

const metaFlags: ReadonlySet<string> = new Set(["previous", "collection", "triggering"])
const normalizeValue = (value: unknown, mint: Mint): unknown => {
  if (isFilterGroup(value)) return normalizeFilter(value, mint)
  if (Array.isArray(value)) return value.map((item) => normalizeValue(item, mint))
  if (!isPlainObject(value)) return value
  const meta = value["kind"] === "variable" && value["source"] === "meta"
  const kept = Object.entries(value).filter(([key, item]) => !(meta && item === false && metaFlags.has(key)))
  return Object.fromEntries(kept.map(([key, item]) => [key, normalizeValue(item, mint)]))
}
