// Normalizes a decoded definition for storage: creates node ids, adds the group, keeps flags of metadata references only when true, and
// wraps a bare relative date of a delay (service.md 2.7 normalization rule 1, developer-api.md 1.2 rule 3, 7.4).

import { actionSpec } from "../actions/registry.ts"
import type { Action, AnyTrigger, Definition, FilterGroup, FilterRow } from "../model/Definition.ts"
import { isGroup } from "../schema/Filter.ts"
import type { Mistake, Path } from "../schema/path.ts"
import { isFilterGroup, isPlainObject } from "../schema/walk.ts"

export type Mint = () => string

export const normalizeAction =
  (mint: Mint) =>
  (action: Action): Action => ({
    id: action.id ?? mint(),
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
  const id = row.id ?? mint()
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

/** Yields node ids that occur twice: the run log and the broken reasons could not tell such nodes apart. */
export function* duplicateIds(definition: Definition): Iterable<Mistake> {
  const usedIds = new Set<string>()
  const visit = function* (value: unknown, path: Path): Iterable<Mistake> {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* visit(item, [...path, index])
    else if (isPlainObject(value)) {
      const isNode = typeof path.at(-1) === "number" && nodeLists.has(path.at(-2) as string)
      const id = isNode ? value["id"] : undefined
      if (typeof id === "string") {
        if (usedIds.has(id)) yield { path: [...path, "id"], message: `the id ${JSON.stringify(id)} is used twice` }
        usedIds.add(id)
      }
      for (const [key, item] of Object.entries(value)) yield* visit(item, [...path, key])
    }
  }
  yield* visit(definition.filter, ["filter"])
  yield* visit(definition.actions, ["actions"])
}
const nodeLists: ReadonlySet<string> = new Set(["actions", "action_rows", "else_action_rows", "rows"])

/** Returns a copy whose nodes all have new ids. */
export const withFreshIds = ({ actions, filter, trigger }: Definition, mint: Mint): Definition => ({
  trigger,
  filter: filter === null ? null : freshRows(filter, mint),
  actions: actions.map((action) => freshAction(action, mint))
})
const freshAction = (action: Action, mint: Mint): Action => ({
  ...action,
  id: mint(),
  config: Object.fromEntries(Object.entries(action.config).map(([key, value]) => [key, freshValue(key, value, mint)]))
})
const freshValue = (key: string, value: unknown, mint: Mint): unknown => {
  if (nodeLists.has(key)) return (value as ReadonlyArray<Action>).map((action) => freshAction(action, mint))
  if (isFilterGroup(value)) return freshRows(value, mint)
  if (Array.isArray(value)) return value.map((item) => freshValue("", item, mint))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, freshValue("", item, mint)]))
}
const freshRows = (group: FilterGroup, mint: Mint): FilterGroup => ({
  ...group,
  rows: group.rows.map((row) => (isGroup(row) ? { ...freshRows(row, mint), id: mint() } : { ...row, id: mint() }))
})
