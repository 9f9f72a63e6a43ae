// Keeps the ids of steps and conditions when a definition comes from a file without ids (our extension, docs/decisions.md "Definitions in
// git"). An unchanged file therefore changes nothing, and runs, logs and retries recognize the steps. Pure.
import { randomUUID } from "node:crypto"
import { Result } from "effect"
import { decodeUpdate } from "../input/automationBodies.ts"
import type { Action, Definition, FilterGroup } from "../model/Definition.ts"
import { type FilterRow, isGroup, isScript } from "../schema/Filter.ts"
import { isFilterGroup, isPlainObject, rowsOf } from "../schema/walk.ts"
import { wholeBody } from "./automationFiles.ts"

interface Identified {
  readonly id?: string
}

/** Returns an equal text for two nodes that differ only in their ids. */
const contentOf = (value: unknown): string =>
  JSON.stringify(value, (key, item) => {
    if (key === "id") return undefined
    return isPlainObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item
  })

/** Keys by which two nodes without a common id are matched, the strictest first. */
type Likeness<A> = ReadonlyArray<(node: A) => string>

interface Given {
  /** Ids that the file does not name: they were generated. */
  readonly minted: ReadonlySet<string>
  /** Ids that the file names, anywhere. */
  readonly named: ReadonlySet<string>
}

/** Maps each new node to its former node, if it has one: by id, else the first unmatched one with the strictest equal key. */
const formerOf = <A extends Identified>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>,
  { minted, named }: Given,
  alike: Likeness<A>
) => {
  const byId = new Map(before.map((node) => [node.id, node]))
  const former = new Map<A, A>()
  for (const node of after) {
    const sameNode = byId.get(node.id)
    if (sameNode !== undefined) former.set(node, sameNode)
  }
  const unmatched = new Set(before.filter(({ id }) => id === undefined || !named.has(id)))
  for (const keyOf of alike) {
    const candidates = Map.groupBy(unmatched, keyOf)
    for (const node of after) {
      if (former.has(node) || node.id === undefined || !minted.has(node.id)) continue
      const match = candidates.get(keyOf(node))?.shift()
      if (match === undefined) continue
      former.set(node, match)
      unmatched.delete(match)
    }
  }
  return former
}

const sameStep: Likeness<Action> = [
  contentOf,
  ({ custom_name, type }) => `${type} ${custom_name ?? ""}`,
  ({ type }) => type
]
const sameRow: Likeness<FilterRow> = [
  contentOf,
  (row) => (isGroup(row) ? "group" : isScript(row) ? "script" : `${contentOf(row.subject)} ${row.operator}`),
  (row) => (isGroup(row) ? "group" : isScript(row) ? "script" : contentOf(row.subject))
]

const makeKeptIds = (given: Given) => {
  const rows = (before: FilterGroup, after: FilterGroup): FilterGroup => {
    const former = formerOf(before.rows, after.rows, given, sameRow)
    return {
      ...after,
      rows: after.rows.map((row) => {
        const formerRow = former.get(row)
        if (formerRow?.id === undefined) return row
        return isGroup(row) && isGroup(formerRow)
          ? { ...rows(formerRow, row), id: formerRow.id }
          : { ...row, id: formerRow.id }
      })
    }
  }

  /** Keeps ids of filters anywhere in a config. */
  const filters = (before: unknown, after: unknown): unknown => {
    if (isFilterGroup(after)) return isFilterGroup(before) ? rows(before, after) : after
    if (Array.isArray(after)) {
      const former = Array.isArray(before) ? before : []
      return after.map((item, index) => filters(former[index], item))
    }
    if (!isPlainObject(after)) return after
    const former = isPlainObject(before) ? before : {}
    return Object.fromEntries(Object.entries(after).map(([key, item]) => [key, filters(former[key], item)]))
  }

  const step = (before: Action, after: Action): Action => {
    const lists = new Set<string>(rowsOf(after).map(({ key }) => key))
    const config = Object.entries(after.config).map(([key, value]) => [
      key,
      lists.has(key) ? actions(before.config[key] ?? [], value) : filters(before.config[key], value)
    ])
    return { ...after, id: before.id, config: Object.fromEntries(config) }
  }

  const actions = (before: ReadonlyArray<Action>, after: ReadonlyArray<Action>): ReadonlyArray<Action> => {
    const former = formerOf(before, after, given, sameStep)
    return after.map((action) => {
      const formerStep = former.get(action)
      return formerStep === undefined ? action : step(formerStep, action)
    })
  }

  return { actions, rows }
}

const idsIn = (value: unknown): ReadonlyArray<string> => {
  const ids: Array<string> = []
  JSON.stringify(value, (key, item) => {
    if (key === "id" && typeof item === "string") ids.push(item)
    return item
  })
  return ids
}

/** Decodes a file's body as an update of an existing automation. */
export const decodeOver = (before: Definition, body: Readonly<Record<string, unknown>>) => {
  const minted = new Set<string>()
  const mint = () => {
    const id = randomUUID()
    minted.add(id)
    return id
  }
  return Result.map(decodeUpdate(wholeBody(body), mint), (decoded) => {
    const named = new Set(idsIn([decoded.filter, decoded.actions]).filter((id) => !minted.has(id)))
    const kept = makeKeptIds({ minted, named })
    const { actions, filter } = decoded
    return {
      ...decoded,
      ...(filter == null || before.filter === null ? {} : { filter: kept.rows(before.filter, filter) }),
      ...(actions === undefined ? {} : { actions: kept.actions(before.actions, actions) })
    }
  })
}
