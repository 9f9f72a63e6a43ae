// Overview of the loops of a run and their items, failed items first (developer-api.md 7.7, 7.11). It reads the ledger, so it works while
// the run is open. Titles of records are shown to admins of their app.
import { Context, Effect, Layer, Schema } from "effect"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { NotFound, type ValidationError } from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { makeReachableApps } from "../../accounts/reachableApps.ts"
import type { PlanNode } from "../model/Plan.ts"
import type { LogMessage } from "../model/Step.ts"
import { RevisionCache } from "../run/RevisionCache.ts"
import type { LoopResult } from "../run/RunContext.ts"
import { ITEMS_PER_CHUNK, makeRunData } from "../run/runData.ts"
import { labelOf } from "../run/runEntries.ts"
import { ItemRow, type ItemState, itemStates, itemStatesOf } from "./loopItemStates.ts"
import { type LoopPlace, loopNamed } from "./RunLogs.ts"
import { type ReadRun, Runs } from "./Runs.ts"
import type { RunsCaller } from "./runSelection.ts"

export interface RunLoop {
  readonly action_id: string
  readonly label: string
  readonly size: number
  /** Number of items per state. */
  readonly items: Readonly<Record<ItemState, number>>
}
interface RunLoopItem {
  /** 0-based. */
  readonly item: number
  readonly status: ItemState
  readonly record_id?: number
  readonly record_title?: string
  readonly error_message?: string
  readonly started_at?: string
  readonly completed_at?: string
}
export interface RunLoopItems extends RunLoop {
  readonly shown: ReadonlyArray<RunLoopItem>
}
export interface LoopItemsQuery {
  readonly loop: string
  /** Iteration of the enclosing loops. */
  readonly iteration?: string
  readonly status?: ItemState
  readonly limit: number
}

const LoopRow = Schema.Struct({
  path: Schema.String,
  state: Schema.Literals(["started", "done", "failed"]),
  result: Schema.NullOr(jsonb<LoopResult>())
})
const Cause = Schema.Struct({ item: Schema.Int, messages: jsonb<ReadonlyArray<LogMessage>>() })
const Title = Schema.Struct({ record_id: Schema.Int, title: Schema.String })

const outerOf = (iteration: string | undefined) =>
  iteration === undefined || iteration === "" ? [] : iteration.split(".").map(Number)

export class RunLoops extends Context.Service<
  RunLoops,
  {
    /** Returns the loops directly inside of the place that have begun. */
    readonly within: (
      caller: RunsCaller,
      runId: string,
      place: LoopPlace
    ) => Effect.Effect<ReadonlyArray<RunLoop>, NotFound | ValidationError>
    readonly items: (
      caller: RunsCaller,
      runId: string,
      query: LoopItemsQuery
    ) => Effect.Effect<RunLoopItems, NotFound | ValidationError>
  }
>()("millrace/automations/requests/RunLoops") {
  static readonly layer = Layer.effect(
    RunLoops,
    Effect.gen(function* () {
      const sql = yield* Sql
      const runs = yield* Runs
      const revisions = yield* RevisionCache
      const administered = makeReachableApps(sql)
      const data = yield* makeRunData

      const planOf = Effect.fnUntraced(function* (run: ReadRun) {
        return (yield* revisions.get(run.revision_id))?.plan.nodes ?? new Map<string, PlanNode>()
      })

      /** Prefix of the iteration keys of everything inside of the loop. */
      const prefixOf = (iteration: string | undefined) =>
        iteration === undefined || iteration === "" ? "" : `${iteration}.`

      /** Returns the loops that have begun, with the states of their items. */
      const loadLoops = Effect.fnUntraced(function* (
        run: ReadRun,
        loops: ReadonlyArray<PlanNode>,
        iteration: string | undefined
      ) {
        const outer = outerOf(iteration)
        const paths = loops.map(({ path }) => path)
        const loopRows = yield* rowsOf(LoopRow)(sql`
          SELECT path, state, result FROM run_ledger WHERE run_id = ${run.run_id}::bigint
            AND iteration = ${iteration ?? ""} AND path = ANY(${paths}::text[])`)
        const rows = yield* rowsOf(ItemRow)(sql`
          SELECT p AS path, split_part(l.iteration, '.', ${outer.length + 1}::int)::int AS item,
            bool_or(l.state = 'failed') AS failed, min(l.started_on) AS started_on, max(l.done_on) AS done_on
          FROM unnest(${loopRows.map(({ path }) => path)}::text[]) AS p JOIN run_ledger l ON l.run_id = ${run.run_id}::bigint
            AND starts_with(l.path, p || '.') AND starts_with(l.iteration, ${prefixOf(iteration)})
          GROUP BY 1, 2`)
        return loops.flatMap((node) => {
          const loopRow = loopRows.find(({ path }) => path === node.path)
          // A loop that could not begin has no size.
          if (loopRow === undefined || loopRow.result === null) return []
          const items = new Map(rows.filter(({ path }) => path === node.path).map((row) => [row.item, row]))
          const { size } = loopRow.result
          const states = itemStatesOf(node, outer, run, { size, isOver: loopRow.state === "done" }, items)
          return [{ node, result: loopRow.result, items, states }]
        })
      })

      const summed = ({ node, states }: { node: PlanNode; states: ReadonlyArray<ItemState> }): RunLoop => ({
        action_id: node.action.id,
        label: labelOf(node),
        size: states.length,
        items: Object.fromEntries(
          itemStates.map((state) => [state, states.filter((one) => one === state).length])
        ) as RunLoop["items"]
      })

      const listLoops = Effect.fn("RunLoops.within")(function* (caller: RunsCaller, runId: string, place: LoopPlace) {
        const run = yield* runs.find(caller, runId)
        const nodes = yield* planOf(run)
        const outerLoop = yield* loopNamed(nodes, place)
        const inside = [...nodes.values()].filter(
          ({ kind, loops }) => kind === "loop" && loops.at(-1) === outerLoop?.path
        )
        return (yield* loadLoops(run, inside, place.iteration)).map(summed)
      }, orSqlDefect)

      /** Returns the last failure of each item, from the log. */
      const causesOf = (
        run: ReadRun,
        inside: ReadonlyArray<PlanNode>,
        prefix: string,
        items: ReadonlyArray<number>
      ) => {
        const itemIndex = sql`split_part(iteration, '.', ${prefix.split(".").length}::int)::int`
        return rowsOf(Cause)(sql`
          SELECT DISTINCT ON (item) * FROM (
            SELECT ${itemIndex} AS item, seq, messages FROM run_logs
            WHERE run_id = ${run.run_id}::bigint AND status = 'failure' AND iteration IS NOT NULL
              AND starts_with(iteration, ${prefix}) AND action_id = ANY(${inside.map(({ action }) => action.id)}::text[])) f
          WHERE item = ANY(${items.map(String)}::text[]::int[]) ORDER BY item, seq DESC`)
      }

      /** Returns the records of the items, by item; with their titles if the caller administers the app. */
      const recordsOf = Effect.fnUntraced(function* (
        caller: RunsCaller,
        run: ReadRun,
        { path }: PlanNode,
        { app_id, type }: LoopResult,
        iteration: string,
        items: ReadonlyArray<number>
      ) {
        if (type !== "records") return { ids: new Map<number, number>(), titles: new Map<number, string>() }
        const ids = new Map<number, number>()
        for (const chunk of new Set(items.map((item) => Math.floor(item / ITEMS_PER_CHUNK)))) {
          const recordIds = (yield* data.items(run.run_id, path, iteration, chunk)) as ReadonlyArray<number>
          for (const [index, id] of recordIds.entries()) ids.set(chunk * ITEMS_PER_CHUNK + index, id)
        }
        const isVisible = caller === "operator" || (yield* administered(caller, 5)).some((app) => app.app_id === app_id)
        const rows = isVisible
          ? yield* rowsOf(Title)(sql`SELECT record_id, title FROM records
              WHERE app_id = ${app_id ?? null}::bigint AND record_id = ANY(${[...ids.values()].map(String)}::text[]::bigint[])`)
          : []
        return { ids, titles: new Map(rows.map(({ record_id, title }) => [record_id, title])) }
      })

      const items = Effect.fn("RunLoops.items")(function* (caller: RunsCaller, runId: string, query: LoopItemsQuery) {
        const { iteration = "", limit, status } = query
        const run = yield* runs.find(caller, runId)
        const nodes = yield* planOf(run)
        const node = (yield* loopNamed(nodes, query))!
        const [loop] = yield* loadLoops(run, [node], iteration)
        if (loop === undefined) return yield* new NotFound({ message: `The loop ${query.loop} has not begun there.` })
        const order = new Map(itemStates.map((state, at) => [state, at]))
        const pageItems = loop.states
          .map((state, item) => ({ state, item }))
          .filter(({ state }) => status === undefined || state === status)
          .toSorted((a, b) => order.get(a.state)! - order.get(b.state)! || a.item - b.item)
          .slice(0, limit)
        const itemIndexes = pageItems.map(({ item }) => item)
        const failed = pageItems.flatMap(({ item, state }) => (state === "failure" ? [item] : []))
        const inside = [...nodes.values()].filter(({ loops }) => loops.includes(node.path))
        const causes = yield* causesOf(run, inside, prefixOf(iteration), failed)
        const messages = new Map(causes.map((cause) => [cause.item, cause.messages]))
        const { ids, titles } = yield* recordsOf(caller, run, node, loop.result, iteration, itemIndexes)
        const view = ({ item, state }: (typeof pageItems)[number]): RunLoopItem => {
          const row = loop.items.get(item)
          const record = ids.get(item)
          const title = record === undefined ? undefined : titles.get(record)
          const cause = messages.get(item)?.findLast(({ level }) => level === "error")
          return {
            item,
            status: state,
            ...(record === undefined ? {} : { record_id: record }),
            ...(title === undefined ? {} : { record_title: title }),
            ...(cause === undefined ? {} : { error_message: cause.message }),
            ...(row === undefined ? {} : { started_at: formatDateTime(row.started_on) }),
            ...(row === undefined || row.done_on === null ? {} : { completed_at: formatDateTime(row.done_on) })
          }
        }
        return { ...summed(loop), shown: pageItems.map(view) }
      }, orSqlDefect)

      return RunLoops.of({ within: listLoops, items })
    })
  )
}
