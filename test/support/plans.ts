// Plans of statements, as EXPLAIN (ANALYZE, FORMAT JSON) gives them, for tests that count what Postgres reads.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { rowsOf } from "../../src/platform/sql/rows.ts"

/** Node of a plan. */
export interface PlanNode {
  readonly "Relation Name"?: string
  readonly "Actual Loops": number
  readonly "Actual Rows": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Join Filter"?: number
  /** Pages of the database, with BUFFERS. */
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const Explained = Schema.Struct({ "QUERY PLAN": Schema.Any })

/** Plan of an answer to EXPLAIN (ANALYZE, FORMAT JSON). */
export const planOf = (explained: Statement.Statement<object>) =>
  Effect.map(rowsOf(Explained)(explained), ([row]): PlanNode => row!["QUERY PLAN"][0].Plan)

/** Sum over all nodes of the plan. */
export const sumOver = (plan: PlanNode, amount: (node: PlanNode) => number): number =>
  (plan.Plans ?? []).reduce((sum, one) => sum + sumOver(one, amount), amount(plan))
