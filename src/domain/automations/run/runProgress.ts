// Shows the operator a run's position: the step list with marks (design: automations as durable executions).
import { Effect, Schema, Struct } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { Revision } from "./RevisionCache.ts"
import type { LoopResult } from "./RunContext.ts"
import { RunRow } from "./RunRow.ts"
import { LedgerRow } from "./runData.ts"
import { labelOf } from "./runEntries.ts"

const NODES_AT_MOST = 60

/** Columns of a run's row that its position is computed from. */
export const RunStanding = RunRow.mapFields(
  Struct.pick(["run_id", "status", "cursor", "wait_until", "most_recent_error"])
)
export type RunStanding = typeof RunStanding.Type

const marks = { done: "✓", failed: "✗", started: "▶" } as const

const PlacedEntry = Schema.Struct({ ...LedgerRow.fields, path: Schema.String })

/** Returns Markdown. Steps inside of loops have no mark; the loop shows the number of its item. */
export const progressOf = Effect.fnUntraced(function* (
  sql: Sql,
  { revision, run }: { readonly revision: Revision; readonly run: RunStanding }
) {
  const rows = yield* rowsOf(PlacedEntry)(sql`
    SELECT path, state, attempts, result FROM run_ledger WHERE run_id = ${run.run_id}::bigint AND iteration = ''`)
  const ledger = new Map(rows.map((row) => [row.path, row]))
  const lines: Array<string> = []
  for (const node of revision.plan.nodes.values()) {
    if (lines.length === NODES_AT_MOST) {
      lines.push(`- … ${revision.plan.nodes.size - NODES_AT_MOST} more steps`)
      break
    }
    const row = ledger.get(node.path)
    const isCurrent = run.cursor?.path === node.path && run.status === "running"
    const inLoop = node.loops.length > 0
    const mark = isCurrent ? "▶ " : inLoop ? "" : `${row === undefined ? "·" : marks[row.state]} `
    const notes: Array<string> = []
    // A loop that could not begin has no size.
    if (node.kind === "loop" && row?.result != null) {
      const { size } = row.result as LoopResult
      const level = node.loops.length
      const inside = run.cursor?.path.startsWith(`${node.path}.`) === true
      const item = inside ? run.cursor!.iteration[level] : run.cursor?.path === node.path ? run.cursor.turn : undefined
      notes.push(item === undefined ? `${size} items` : `item ${Math.min(item + 1, size)} of ${size}`)
    }
    if (node.kind === "wait" && isCurrent && run.wait_until !== null)
      notes.push(`until ${run.wait_until.toISOString()}`)
    if (row !== undefined && row.attempts > 1) notes.push(`attempt ${row.attempts}`)
    const depth = node.path.split(".").length >> 1
    const label = labelOf(node).replaceAll(/[\r\n|`*_[\]<>]/g, " ")
    lines.push(`${"  ".repeat(depth)}- ${mark}${label} (\`${node.action.type}\`)${notes.map((n) => `, ${n}`).join("")}`)
  }
  const cause = run.most_recent_error === null ? "" : `\n\nLast error: ${run.most_recent_error.slice(0, 500)}`
  return `${revision.name}\n\n${lines.join("\n")}${cause}`
})
