// Places of a definition that warnings examine: every live step with its own config, and the parts beside the steps. Deactivated steps do
// not run, so they get no warnings.
import { actionSpec } from "../actions/registry.ts"
import type { Action, Definition } from "../model/Definition.ts"
import { code } from "../schema/dynamicValues.ts"
import { isPlainObject, ownConfig, rowsOf } from "../schema/walk.ts"

export interface WarnedPlace {
  readonly block_id: string
  readonly action_id: string | null
  /** Action, for places in steps. */
  readonly action?: Action
  readonly value: unknown
}

export function* liveActions(list: ReadonlyArray<Action>): Iterable<Action> {
  for (const action of list) {
    if (action.deactivate === true) continue
    yield action
    for (const rows of rowsOf(action)) yield* liveActions(rows.actions)
  }
}

export function* placesOf({ actions, filter, trigger }: Definition): Iterable<WarnedPlace> {
  if (trigger !== null) yield { block_id: "trigger", action_id: null, value: trigger.config }
  if (filter !== null) yield { block_id: "filter", action_id: null, value: filter }
  for (const action of liveActions(actions)) {
    yield { block_id: action.id, action_id: action.id, action, value: ownConfig(action) }
  }
}

/** Keys whose value is code anywhere, by the schemas of values, filters, assignments and relative dates. */
const codeKeys: ReadonlySet<string> = new Set(["code", "number", "amount", "assignment_code"])

/** True if the value under a key of `holder` is code: its strings are source, not text. */
const isCodeAt = (key: string, holder: Record<string, unknown>, place: WarnedPlace): boolean =>
  codeKeys.has(key) ||
  (key === "field_value" && holder["field_type"] === "number") ||
  (place.action !== undefined && holder === place.value && codeKeysOf(place.action.type).has(key))

/** Returns the top-level keys of a config that hold code, by its schema. */
const codeKeysOf = (type: string): ReadonlySet<string> => {
  const cachedKeys = byType.get(type)
  if (cachedKeys !== undefined) return cachedKeys
  const { fields } = actionSpec(type).config
  const keys = new Set(Object.keys(fields).filter((key) => fields[key] === code))
  byType.set(type, keys)
  return keys
}
const byType = new Map<string, ReadonlySet<string>>()

interface TextAt {
  /** Strings and references in order. */
  readonly items: ReadonlyArray<unknown>
  readonly isCode: boolean
  /** Object that contains the array. */
  readonly holder: Record<string, unknown>
  readonly key: string
}

/** Yields every array below a place that holds text or code. */
export const textsIn = (place: WarnedPlace): Iterable<TextAt> => visit(place.value, {}, "", place)

function* visit(value: unknown, holder: Record<string, unknown>, key: string, place: WarnedPlace): Generator<TextAt> {
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === "string")) {
      yield { items: value, isCode: isCodeAt(key, holder, place), holder, key }
    } else for (const item of value) yield* visit(item, holder, key, place)
  } else if (isPlainObject(value)) {
    for (const [name, item] of Object.entries(value)) yield* visit(item, value, name, place)
  }
}
