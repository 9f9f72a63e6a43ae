// Difference of two definitions, place by place (developer-api.md 7.13). Steps are matched by their ids, so that a step in another position
// counts as moved; so are conditions and other entries with ids. Pure, and linear except for the order of siblings (n log n).
import { isDeepStrictEqual } from "node:util"
import type { Action } from "../model/Definition.ts"
import { type Path, pathText } from "../schema/path.ts"
import { isPlainObject, ownConfig, rowsOf } from "../schema/walk.ts"
import { matchEntries } from "./entryMatching.ts"

export interface DefinitionChange {
  /** Path of the thing now, or before if it was removed. */
  readonly path: string
  readonly kind: "added" | "removed" | "changed" | "moved"
  /** Step that the change concerns. */
  readonly action_id?: string
  /** Former value; for something moved, its former path. */
  readonly before?: unknown
  readonly after?: unknown
}

/** Content of a revision: its actions and any other members. */
interface Content {
  readonly actions: ReadonlyArray<unknown>
  readonly [member: string]: unknown
}

export const diffOf = (before: Content, after: Content): ReadonlyArray<DefinitionChange> => {
  const { actions: were, ...formerly } = before
  const { actions: are, ...now } = after
  return [...ofValues(formerly, now, []), ...ofActions(were as ReadonlyArray<Action>, are as ReadonlyArray<Action>)]
}

interface Place {
  readonly action: Action
  readonly path: Path
  /** List in which the step stands: the enclosing step and its key. */
  readonly list: string
}

/** Yields every step with its position, outer before inner. */
function* placesOf(actions: ReadonlyArray<Action>, path: Path, list: string): Generator<Place> {
  for (const [index, action] of actions.entries()) {
    const stepPath = [...path, index]
    yield { action, path: stepPath, list }
    for (const rows of rowsOf(action)) {
      yield* placesOf(rows.actions, [...stepPath, "config", rows.key], `${action.id}/${rows.key}`)
    }
  }
}

function* ofActions(before: ReadonlyArray<Action>, after: ReadonlyArray<Action>): Generator<DefinitionChange> {
  const were = [...placesOf(before, ["actions"], "")]
  const are = [...placesOf(after, ["actions"], "")]
  const { moved, pairs } = matchEntries(were, are, {
    idOf: ({ action }) => action.id,
    content: ({ action }) => action,
    listOf: ({ list }) => list
  })
  const formerOf = new Map(pairs.map(([former, place]) => [place, former]))
  const kept = new Set(pairs.map(([former]) => former))
  // A step that was removed or added together with its enclosing step is shown within that one.
  for (const removedStep of outermost(were.filter((place) => !kept.has(place)))) {
    yield {
      path: pathText(removedStep.path),
      kind: "removed",
      action_id: removedStep.action.id,
      before: removedStep.action
    }
  }
  const added = new Set(outermost(are.filter((place) => !formerOf.has(place))))
  for (const step of are) {
    const { action, path } = step
    const former = formerOf.get(step)
    if (former === undefined) {
      if (added.has(step)) yield { path: pathText(path), kind: "added", action_id: action.id, after: action }
      continue
    }
    if (moved.has(step)) {
      const [at, from] = [pathText(path), pathText(former.path)]
      yield { path: at, kind: "moved", action_id: action.id, before: from, after: at }
    }
    for (const change of ofValues(ownMembers(former.action), ownMembers(action), path)) {
      yield { ...change, action_id: action.id }
    }
  }
}

const outermost = (places: ReadonlyArray<Place>): ReadonlyArray<Place> => {
  const ids = new Set(places.map(({ action }) => action.id))
  return places.filter(({ list }) => !ids.has(list.slice(0, list.lastIndexOf("/"))))
}

/** Returns a step without its id, which has no meaning of its own, and without the steps inside. */
const ownMembers = ({ group: _, id: __, ...action }: Action) => ({ ...action, config: ownConfig(action as Action) })

function* ofValues(before: unknown, after: unknown, path: Path): Generator<DefinitionChange> {
  if (isDeepStrictEqual(before, after)) return
  if (before === undefined) yield { path: pathText(path), kind: "added", after }
  else if (after === undefined) yield { path: pathText(path), kind: "removed", before }
  else if (isPlainObject(before) && isPlainObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (key !== "id") yield* ofValues(before[key], after[key], [...path, key])
    }
  } else if (isEntries(before) && isEntries(after)) yield* ofEntries(before, after, path)
  else yield { path: pathText(path), kind: "changed", before, after }
}

type Entries = ReadonlyArray<Record<string, unknown>>
/** Lists of objects are compared entry by entry; templates (texts with references) as a whole. */
const isEntries = (value: unknown): value is Entries =>
  Array.isArray(value) && value.every((item) => isPlainObject(item) && item["kind"] !== "variable")

function* ofEntries(before: Entries, after: Entries, path: Path): Generator<DefinitionChange> {
  const pathAt = (index: number) => [...path, index]
  const were = before.map((entry, index) => ({ entry, index }))
  const are = after.map((entry, index) => ({ entry, index }))
  const { moved, pairs } = matchEntries(were, are, {
    idOf: ({ entry }) => keyOf(entry),
    content: ({ entry }) => entry,
    listOf: () => "",
    slotOf: ({ entry, index }) => (keyOf(entry) === "" ? String(index) : "")
  })
  const formerOf = new Map(pairs.map(([former, place]) => [place, former]))
  const kept = new Set(pairs.map(([former]) => former))
  for (const previousEntry of were) {
    if (!kept.has(previousEntry))
      yield { path: pathText(pathAt(previousEntry.index)), kind: "removed", before: previousEntry.entry }
  }
  for (const entryPlace of are) {
    const [former, where] = [formerOf.get(entryPlace), pathAt(entryPlace.index)]
    if (former === undefined) yield { path: pathText(where), kind: "added", after: entryPlace.entry }
    else {
      if (moved.has(entryPlace)) {
        const [now, from] = [pathText(where), pathText(pathAt(former.index))]
        yield { path: now, kind: "moved", before: from, after: now }
      }
      yield* ofValues(former.entry, entryPlace.entry, where)
    }
  }
}

/** Returns the key by which an entry is matched: its id, or the field that it assigns. */
const keyOf = ({ id, variable_def }: Record<string, unknown>): string => {
  if (typeof id === "string" && id !== "") return id
  return isPlainObject(variable_def) && "field_id" in variable_def ? `field ${variable_def["field_id"]}` : ""
}
