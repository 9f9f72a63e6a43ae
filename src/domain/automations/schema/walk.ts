// Traverses definitions: nested action lists, filters inside configs, references at any depth. Pure, free of schemas.
import type { Action } from "./Action.ts"
import type { Constant, Reference, SecretReference } from "./dynamicValues.ts"
import type { FilterGroup } from "./Filter.ts"
import type { Path } from "./path.ts"

const rowKeys = ["action_rows", "else_action_rows"] as const

/** Returns the nested action lists of a control-flow step. */
export const rowsOf = (
  action: Action
): ReadonlyArray<{ readonly key: (typeof rowKeys)[number]; readonly actions: ReadonlyArray<Action> }> =>
  action.group === "control_flow" || action.type === "conditional" || action.type === "for_loop"
    ? rowKeys.flatMap((key) => (action.config[key] === undefined ? [] : [{ key, actions: action.config[key] }]))
    : []

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
export const isFilterGroup = (value: unknown): value is FilterGroup & Record<string, unknown> =>
  isPlainObject(value) && Array.isArray(value["rows"]) && (value["operator"] === "and" || value["operator"] === "or")
export const isReference = (value: unknown): value is Reference => isPlainObject(value) && value["kind"] === "variable"
export const isConstant = (value: unknown): value is Constant => isPlainObject(value) && value["kind"] === "value"

/** Returns a step's config without nested steps. */
export const ownConfig = (action: Action): Record<string, unknown> =>
  rowsOf(action).length === 0
    ? action.config
    : Object.fromEntries(
        Object.entries(action.config).filter(([key]) => !(rowKeys as ReadonlyArray<string>).includes(key))
      )

/** Yields the root groups of the filters in a step's own config, with their paths below `config`. */
export function* actionFilters(action: Action): Iterable<{ readonly path: Path; readonly group: FilterGroup }> {
  yield* groupsIn(ownConfig(action), [])
}
function* groupsIn(value: unknown, path: Path): Iterable<{ readonly path: Path; readonly group: FilterGroup }> {
  if (isFilterGroup(value)) yield { path, group: value }
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* groupsIn(item, [...path, index])
  else if (isPlainObject(value)) for (const [key, item] of Object.entries(value)) yield* groupsIn(item, [...path, key])
}

const isVariable = (value: unknown): value is Reference | SecretReference => isReference(value)

/** Yields every reference and constant below a value, in document order. */
export function* valuesIn(value: unknown): Iterable<Reference | SecretReference | Constant> {
  if (isVariable(value)) {
    yield value
  } else if (isConstant(value)) yield value
  else if (Array.isArray(value)) for (const item of value) yield* valuesIn(item)
  else if (isPlainObject(value)) for (const item of Object.values(value)) yield* valuesIn(item)
}

/** Yields every step, outer before inner. */
export function* allActions(list: ReadonlyArray<Action>): Iterable<Action> {
  for (const action of list) {
    yield action
    for (const rows of rowsOf(action)) yield* allActions(rows.actions)
  }
}
