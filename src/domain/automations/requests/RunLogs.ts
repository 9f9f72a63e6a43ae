// Reads the log of a run by pages (developer-api.md 7.11): all of it, the entries outside of loops, or those of one item of a loop. The
// run's own revision determines which steps stand in a loop.
import { Context, Effect, Layer, Schema } from "effect"
import { NotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { Cursors } from "../../../platform/sealing/Cursors.ts"
import { countOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { PlanNode } from "../model/Plan.ts"
import { RevisionCache } from "../run/RevisionCache.ts"
import type { LogStatus } from "../run/RunRow.ts"
import { Runs } from "./Runs.ts"
import type { RunsCaller } from "./runSelection.ts"
import { LogRecord, type LogView, logColumns, logViewOf } from "./runViews.ts"

/** Place among loops: the innermost of them, and the item of each, the outermost first. */
export interface LoopPlace {
  /** Id of the loop's step. */
  readonly loop?: string
  /** `17`, `3.17`. */
  readonly iteration?: string
}
export interface RunLogQuery extends LoopPlace {
  readonly limit: number
  readonly cursor?: string
  readonly outsideLoops?: boolean
  readonly status?: LogStatus
}
export interface RunLogPage {
  readonly total: number
  readonly cursor: string | null
  readonly logs: ReadonlyArray<LogView>
}

/** Returns the loop's node, if the place names one of the plan. */
export const loopNamed = Effect.fnUntraced(function* (
  nodes: ReadonlyMap<string, PlanNode>,
  { iteration, loop }: LoopPlace
) {
  if (loop === undefined) {
    if (iteration === undefined) return undefined
    return yield* new ValidationError({ message: "iteration: counts in a loop; name it by `loop`." })
  }
  const node = [...nodes.values()].find(({ action, kind }) => action.id === loop && kind === "loop")
  return node ?? (yield* new NotFound({ message: `The run has no loop ${JSON.stringify(loop)}.` }))
})

export class RunLogs extends Context.Service<
  RunLogs,
  {
    readonly page: (
      caller: RunsCaller,
      runId: string,
      query: RunLogQuery
    ) => Effect.Effect<RunLogPage, NotFound | ValidationError>
  }
>()("millrace/automations/requests/RunLogs") {
  static readonly layer = Layer.effect(
    RunLogs,
    Effect.gen(function* () {
      const sql = yield* Sql
      const cursors = yield* Cursors
      const runs = yield* Runs
      const revisions = yield* RevisionCache

      const page = Effect.fn("RunLogs.page")(function* (caller: RunsCaller, runId: string, query: RunLogQuery) {
        const { cursor, iteration, limit, outsideLoops, status, ...place } = query
        const run = yield* runs.find(caller, runId)
        const nodes = (yield* revisions.get(run.revision_id))?.plan.nodes ?? new Map<string, PlanNode>()
        const loop = yield* loopNamed(nodes, query)
        if (loop !== undefined && outsideLoops === true) {
          return yield* new ValidationError({ message: "outside_loops: is sent without `loop`." })
        }
        const idsOf = (wanted: (node: PlanNode) => boolean) =>
          sql`ANY(${[...nodes.values()].filter(wanted).map(({ action }) => action.id)}::text[])`
        const where = sql.and([
          sql`run_id = ${runId}::bigint`,
          ...(loop === undefined ? [] : [sql`action_id = ${idsOf(({ loops }) => loops.at(-1) === loop.path)}`]),
          ...(iteration === undefined ? [] : [sql`iteration = ${iteration}`]),
          ...(outsideLoops === true
            ? [sql`(action_id IS NULL OR NOT action_id = ${idsOf(({ loops }) => loops.length > 0)})`]
            : []),
          ...(status === undefined ? [] : [sql`status = ${status}`])
        ])
        const filterKey = [outsideLoops === true, place.loop, iteration, status].map((part) => part ?? "").join("/")
        const listing = `run-log/${runId}/${filterKey}`
        const from =
          cursor === undefined
            ? { total: yield* countOf(sql`SELECT count(*)::int AS n FROM run_logs WHERE ${where}`), position: -1 }
            : yield* cursors.read(listing, cursor, Schema.Int)
        const rows = yield* rowsOf(LogRecord)(sql`
          SELECT ${sql.literal(logColumns)} FROM run_logs WHERE ${where} AND seq > ${from.position}::int
          ORDER BY seq LIMIT ${limit + 1}::int`)
        const pageRows = rows.slice(0, limit)
        const next =
          rows.length > limit
            ? yield* cursors.issue(listing, { total: from.total, position: pageRows.at(-1)!.seq })
            : null
        return { total: from.total, cursor: next, logs: pageRows.map((log) => logViewOf(runId, log)) }
      }, orSqlDefect)
      return RunLogs.of({ page })
    })
  )
}
