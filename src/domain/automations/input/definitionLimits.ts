// Definition limits (developer-api.md 7.7 rules 4, 7), and the check that JSON holds only text that Postgres can store.

import { countNodes } from "../../../platform/bounds/Bounds.ts"
import { sizes } from "../../../platform/bounds/sized.ts"
import { actionSpec } from "../actions/registry.ts"
import type { Action, Definition, FilterGroup } from "../model/Definition.ts"
import { isGroup } from "../schema/Filter.ts"
import type { Mistake, Path } from "../schema/path.ts"
import { actionFilters, rowsOf } from "../schema/walk.ts"

const limits = { actions: 200, depth: 10, loops: 3, rows: 100, bytes: 256 * 1024 } as const

/** Nesting of raw JSON beyond which the check stops: ten levels of actions and ten of filters need less. */
const RAW_DEPTH = 128

/** Mistakes that are found before any schema is applied. */
export const rawMistakes = (value: unknown, path: Path = []): ReadonlyArray<Mistake> => {
  if (path.length > RAW_DEPTH) return [{ path: path.slice(0, 8), message: "the definition is nested too deeply" }]
  if (typeof value === "string")
    return isStorable(value) ? [] : [{ path, message: "the text holds NUL or half a surrogate pair" }]
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value)) return firstOf(value.entries(), path)
  return firstOf(Object.entries(value), path)
}
const firstOf = (entries: Iterable<readonly [PropertyKey, unknown]>, path: Path): ReadonlyArray<Mistake> => {
  for (const [key, inner] of entries) {
    if (typeof key === "string" && !isStorable(key))
      return [{ path, message: "a key holds NUL or half a surrogate pair" }]
    const mistakes = rawMistakes(inner, [...path, key])
    if (mistakes.length > 0) return mistakes
  }
  return []
}
const isStorable = (text: string) => text.isWellFormed() && !text.includes("\u0000")

const actionLists: ReadonlySet<string> = new Set(["actions", "action_rows", "else_action_rows"])

/** Counts steps and rows before any is decoded; a definition with too many values is not examined further. */
export const rawLimitMistakes = (body: unknown): ReadonlyArray<Mistake> => {
  if (countNodes(body, sizes.definitionValues) > sizes.definitionValues) {
    return [{ path: [], message: `the definition holds more than ${sizes.definitionValues} values` }]
  }
  let actions = 0
  const filters: Array<{ readonly path: Path; rows: number }> = []
  const visit = (value: unknown, path: Path, filter: { rows: number } | undefined): void => {
    if (typeof value !== "object" || value === null) return
    const isTree = !Array.isArray(value) && Array.isArray((value as { readonly rows?: unknown }).rows)
    const tree = isTree && filter === undefined ? { path, rows: 0 } : filter
    if (tree !== undefined && tree !== filter) filters.push(tree as (typeof filters)[number])
    for (const [key, inner] of Object.entries(value)) {
      if (Array.isArray(inner) && actionLists.has(key)) actions += inner.length
      if (Array.isArray(inner) && key === "rows" && tree !== undefined) tree.rows += inner.length
      visit(inner, [...path, Array.isArray(value) ? Number(key) : key], tree)
    }
  }
  visit(body, [], undefined)
  return [
    ...(actions > limits.actions ? [tooManyActions(actions)] : []),
    ...filters.filter(({ rows }) => rows > limits.rows).map(({ path, rows }) => tooManyRows(path, rows))
  ]
}
const tooManyActions = (count: number): Mistake => ({
  path: ["actions"],
  message: `there are ${count} actions; at most ${limits.actions}`
})
const tooManyRows = (path: Path, rows: number): Mistake => ({
  path,
  message: `the filter has ${rows} rows; at most ${limits.rows}`
})

/** Mistakes of a decoded definition against the limits. */
export function* limitMistakes(definition: Definition): Iterable<Mistake> {
  if (definition.filter !== null) yield* treeMistakes(definition.filter, ["filter"])
  let count = 0
  const visit = function* (list: ReadonlyArray<Action>, path: Path, depth: number, loops: number): Iterable<Mistake> {
    if (depth > limits.depth && list.length > 0) {
      yield { path, message: `actions are nested deeper than ${limits.depth} levels` }
      return
    }
    for (const [index, action] of list.entries()) {
      count++
      const inLoops = actionSpec(action.type).kind === "loop" ? loops + 1 : loops
      if (inLoops > limits.loops && inLoops > loops) {
        yield { path: [...path, index], message: `loops are nested deeper than ${limits.loops} levels` }
      }
      for (const filter of actionFilters(action))
        yield* treeMistakes(filter.group, [...path, index, "config", ...filter.path])
      for (const rows of rowsOf(action))
        yield* visit(rows.actions, [...path, index, "config", rows.key], depth + 1, inLoops)
    }
  }
  yield* visit(definition.actions, ["actions"], 1, 0)
  if (count > limits.actions) yield tooManyActions(count)
  const bytes = Buffer.byteLength(JSON.stringify([definition.trigger, definition.filter, definition.actions]))
  if (bytes > limits.bytes)
    yield { path: [], message: `the definition takes ${bytes} bytes as JSON; at most ${limits.bytes}` }
}

function* treeMistakes(root: FilterGroup, path: Path): Iterable<Mistake> {
  let rows = 0
  let depth = 0
  const visit = (group: FilterGroup, level: number): void => {
    depth = Math.max(depth, level)
    rows += group.rows.length
    for (const row of group.rows) if (isGroup(row)) visit(row, level + 1)
  }
  visit(root, 1)
  if (depth > limits.depth) yield { path, message: `the filter is nested deeper than ${limits.depth} levels` }
  if (rows > limits.rows) yield tooManyRows(path, rows)
}
