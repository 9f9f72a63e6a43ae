// States of the items of a run's loop, computed from its ledger and cursor (developer-api.md 7.7, 7.11). Branches leave no ledger rows: an
// item without rows, before one that has been reached, is one for which no step was executed.
import { Schema } from "effect"
import { type Cursor, iterationKey, type PlanNode } from "../model/Plan.ts"

export const itemStates = ["failure", "in_progress", "cancelled", "success", "skipped", "pending"] as const
export type ItemState = (typeof itemStates)[number]

/** Ledger facts about one item, over all steps inside of the loop. */
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

/** Returns the item at which the run stands, if it is in the loop, for this iteration of the enclosing loops. */
const itemAt = (node: PlanNode, outer: ReadonlyArray<number>, cursor: Cursor | null): number | undefined => {
  if (cursor === null || iterationKey(cursor.iteration.slice(0, outer.length)) !== iterationKey(outer)) return undefined
  if (cursor.path.startsWith(`${node.path}.`)) return cursor.iteration[outer.length]
  return cursor.path === node.path ? cursor.turn : undefined
}

/** Returns the state of each item. @param isOver true if the loop's own ledger entry is done */
export const itemStatesOf = (
  node: PlanNode,
  outer: ReadonlyArray<number>,
  { cursor, completed_on }: Standing,
  loop: { readonly size: number; readonly isOver: boolean },
  rows: ReadonlyMap<number, ItemRow>
): ReadonlyArray<ItemState> => {
  const currentItem = itemAt(node, outer, cursor)
  const reached = loop.isOver ? loop.size : Math.max(currentItem ?? 0, ...[...rows.keys()].map((item) => item + 1))
  return Array.from({ length: loop.size }, (_, item): ItemState => {
    const row = rows.get(item)
    if (row?.failed === true) return "failure"
    if (item === currentItem && !loop.isOver) {
      if (completed_on === null) return "in_progress"
      return row === undefined ? "pending" : "cancelled"
    }
    if (row !== undefined) return "success"
    return item < reached ? "skipped" : "pending"
  })
}
