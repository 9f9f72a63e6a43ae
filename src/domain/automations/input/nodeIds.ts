// Ids of steps and conditions (developer-api.md 1.2 rule 3, service.md 2.7): opaque strings. One that the caller sends is kept, another is
// minted; none occurs twice in a definition, and those of a copy are new.
import type { Action, Definition, FilterGroup } from "../model/Definition.ts"
import { isGroup } from "../schema/Filter.ts"
import type { Mistake, Path } from "../schema/path.ts"
import { isFilterGroup, isPlainObject } from "../schema/walk.ts"

export type Mint = () => string

/** Id that the caller has sent, or a new one. */
export const nodeId = ({ id }: { readonly id?: string }, mint: Mint): string => id ?? mint()

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
