// How the items of a run's loop stand, told from its ledger and from where the run is (developer-api.md 7.7, 7.11). Branches leave
// nothing in the ledger: an item of which nothing is left, before one that has been reached, is one that no step was taken for.
import { Schema } from "effect"
import { type Cursor, iterationKey, type PlanNode } from "../model/Plan.ts"

export const itemStates = ["failure", "in_progress", "cancelled", "success", "skipped", "pending"] as const
export type ItemState = (typeof itemStates)[number]

/** What the ledger holds of one item, of all steps inside together. */
export const ItemRow = Schema.Struct({
  path: Schema.String,
  item: Schema.Int,
  failed: Schema.Boolean,
  started_on: Schema.Date,
  done_on: Schema.NullOr(Schema.Date)
})
export type ItemRow = typeof ItemRow.Type

interface Standing {
  readonly cursor: Cursor | null
  readonly completed_on: Date | null
}

/** The item that the run is at, if it is in the loop, for these items of the loops around it. */
const itemAt = (node: PlanNode, outer: ReadonlyArray<number>, cursor: Cursor | null): number | undefined => {
  if (cursor === null || iterationKey(cursor.iteration.slice(0, outer.length)) !== iterationKey(outer)) return undefined
  if (cursor.path.startsWith(`${node.path}.`)) return cursor.iteration[outer.length]
  return cursor.path === node.path ? cursor.turn : undefined
}

/** Of each item its state. @param isOver the loop's own entry in the ledger says that it is done */
export const itemStatesOf = (
  node: PlanNode,
  outer: ReadonlyArray<number>,
  { cursor, completed_on }: Standing,
  loop: { readonly size: number; readonly isOver: boolean },
  rows: ReadonlyMap<number, ItemRow>
): ReadonlyArray<ItemState> => {
  const at = itemAt(node, outer, cursor)
  const reached = loop.isOver ? loop.size : Math.max(at ?? 0, ...[...rows.keys()].map((item) => item + 1))
  return Array.from({ length: loop.size }, (_, item): ItemState => {
    const row = rows.get(item)
    if (row?.failed === true) return "failure"
    if (item === at && !loop.isOver) {
      if (completed_on === null) return "in_progress"
      return row === undefined ? "pending" : "cancelled"
    }
    if (row !== undefined) return "success"
    return item < reached ? "skipped" : "pending"
  })
}
