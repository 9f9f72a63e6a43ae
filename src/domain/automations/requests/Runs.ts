// Lists, reads, cancels and retries runs (developer-api.md 7.11). For a caller who is no workspace admin listings are empty and single runs
// are missing. Runs of deleted automations are hidden.
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { epochInForce } from "../../../engine/epoch/installationRow.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { prefixOf } from "../../../engine/temporal/Epoch.ts"
import { TemporalSettings } from "../../../engine/temporal/Temporal.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { Conflict, NotFound, type ValidationError } from "../../../platform/primitives/errors.ts"
import { Cursors } from "../../../platform/sealing/Cursors.ts"
import { countOf, rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { makeCancelRuns } from "../run/cancelRuns.ts"
import { RevisionCache } from "../run/RevisionCache.ts"
import { runWorkflowId, workflowAddress } from "../run/runWorkflowId.ts"
import { makeRunDetails, type PresentStep } from "./runDetails.ts"
import { makeRunRetries, type RetryBody } from "./runRetries.ts"
import { RunFilters } from "./runSearch.ts"
import { FROM_RUNS, makeRunSelection, type RunsCaller, type RunsWithin } from "./runSelection.ts"
import {
  LogRecord,
  type LogView,
  logColumns,
  logViewOf,
  RunRecord,
  type RunView,
  runColumns,
  viewOf
} from "./runViews.ts"

const Position = Schema.Struct({ before: Schema.String, filters: RunFilters })
export interface RunsPage {
  readonly total: number
  readonly cursor: string | null
  readonly automation_runs: ReadonlyArray<RunView>
}

export type RunWithLog = RunView &
  PresentStep & {
    /** Address of its workflow in Temporal's UI; absent if it has no workflow, or no UI is configured. */
    readonly temporal_url?: string
    readonly logs: ReadonlyArray<LogView>
  }

const ReadRun = Schema.Struct({ ...RunRecord.fields, org_id: Schema.Int, has_workflow: Schema.Boolean })
export type ReadRun = typeof ReadRun.Type

export class Runs extends Context.Service<
  Runs,
  {
    readonly page: (
      caller: RunsCaller,
      within: RunsWithin,
      filters: RunFilters,
      limit: number,
      cursor?: string
    ) => Effect.Effect<RunsPage, ValidationError | NotFound>
    /** Returns the run's row, if the caller may see it. */
    readonly find: (caller: RunsCaller, runId: string) => Effect.Effect<ReadRun, NotFound>
    /** @param logLimit maximum of log entries, the first ones; all if absent */
    readonly get: (caller: RunsCaller, runId: string, logLimit?: number) => Effect.Effect<RunWithLog, NotFound>
    readonly cancel: (caller: RunsCaller, runId: string) => Effect.Effect<RunView, NotFound | Conflict>
    /** Returns the id of the future run, or null if the filter may still reject it. */
    readonly retry: (
      caller: RunsCaller,
      runId: string,
      body: RetryBody
    ) => Effect.Effect<string | null, NotFound | Conflict>
  }
>()("millrace/automations/requests/Runs") {
  static readonly layer = Layer.effect(
    Runs,
    Effect.gen(function* () {
      const sql = yield* Sql
      const cursors = yield* Cursors
      const outbox = yield* Outbox
      const columns = sql.literal(runColumns)
      const from = sql.literal(FROM_RUNS)
      const { reachable, selectionOf } = makeRunSelection(sql)
      const { presentStep, sightsOf } = makeRunDetails(sql, yield* RevisionCache)
      const cancelRuns = makeCancelRuns(sql, outbox)
      const retryRun = makeRunRetries(sql, outbox)
      const { temporalUiUrl } = yield* AppConfig
      // Reads the settings on first use: the code that connects to Temporal reports a broken configuration.
      const settings = yield* Effect.cached(Effect.provide(TemporalSettings, TemporalSettings.layer))
      const epochNow = Effect.provideService(epochInForce, Sql, sql)
      const currentMillis = Clock.currentTimeMillis

      const views = Effect.fnUntraced(function* (rows: ReadonlyArray<RunRecord>) {
        const nowMillis = yield* currentMillis
        const sights = yield* sightsOf(rows)
        return rows.map((row, index) => viewOf(row, sights[index]!, nowMillis))
      })
      const viewed = (row: RunRecord) => Effect.map(views([row]), ([view]) => view!)

      const page = Effect.fn("Runs.page")(function* (
        caller: RunsCaller,
        within: RunsWithin,
        asked: RunFilters,
        limit: number,
        cursor?: string
      ) {
        const listing = `runs/${caller === "operator" ? caller : caller.userId}/${within.kind === "all" ? "all" : `${within.kind}/${within.id}`}`
        // A cursor carries its filters: a request sends it alone.
        const page = cursor === undefined ? null : yield* cursors.read(listing, cursor, Position)
        const filters = page?.position.filters ?? asked
        const where = yield* selectionOf(caller, within, filters)
        const total = page?.total ?? (yield* countOf(sql`SELECT count(*)::int AS n ${from} WHERE ${where}`))
        const beforeCursor = page === null ? sql.literal("") : sql` AND r.run_id < ${page.position.before}::bigint`
        const rows = yield* rowsOf(RunRecord)(sql`
            SELECT ${columns} ${from} WHERE ${where}${beforeCursor} ORDER BY r.run_id DESC LIMIT ${limit + 1}`)
        const pageRows = rows.slice(0, limit)
        const next =
          rows.length > limit
            ? yield* cursors.issue(listing, { total, position: { before: pageRows.at(-1)!.run_id, filters } })
            : null
        return { total, cursor: next, automation_runs: yield* views(pageRows) }
      }, orSqlDefect)

      const find = Effect.fnUntraced(function* (caller: RunsCaller, runId: string) {
        const missing = new NotFound({ message: `No automation run with id ${runId}.` })
        if (!/^[1-9]\d{0,18}$/.test(runId) || BigInt(runId) > 9_223_372_036_854_775_807n) return yield* missing
        const row = yield* rowOf(ReadRun)(sql`
          SELECT ${columns}, r.org_id, r.durable AND r.workflow_started_on IS NOT NULL AS has_workflow ${from}
          WHERE r.run_id = ${runId}::bigint AND x.deleted_on IS NULL`)
        if (row === undefined || (caller !== "operator" && row.org_id !== caller.orgId)) return yield* missing
        const reach = yield* reachable(caller)
        return reach.some(({ app_id }) => app_id === row.app_id) ? row : yield* missing
      })

      const temporalUrl = Effect.fnUntraced(function* (run: ReadRun) {
        if (Option.isNone(temporalUiUrl) || !run.has_workflow) return {}
        const workflowId = prefixOf(yield* epochNow) + runWorkflowId(run)
        const { namespace } = yield* settings
        return { temporal_url: workflowAddress(temporalUiUrl.value, namespace, workflowId) }
      })

      const get = Effect.fn("Runs.get")(function* (caller: RunsCaller, runId: string, logLimit?: number) {
        const row = yield* find(caller, runId)
        const logs =
          logLimit === 0
            ? []
            : yield* rowsOf(LogRecord)(sql`
                SELECT ${sql.literal(logColumns)} FROM run_logs WHERE run_id = ${runId}::bigint
                ORDER BY seq LIMIT ${logLimit ?? null}::int`)
        return {
          ...(yield* viewed(row)),
          ...(yield* presentStep(row)),
          ...(yield* temporalUrl(row)),
          logs: logs.map((log) => logViewOf(runId, log))
        }
      }, orSqlDefect)

      const cancel = Effect.fn("Runs.cancel")(
        function* (caller: RunsCaller, runId: string) {
          const foundRun = yield* find(caller, runId)
          const cancelledAt = new Date(yield* currentMillis)
          const [row] = yield* cancelRuns([runId], { at: cancelledAt, reason: null })
          if (row === undefined) return yield* new Conflict({ message: `The run is ${foundRun.status} already.` })
          return yield* viewed(yield* find(caller, runId))
        },
        sql.withTransaction,
        orSqlDefect
      )

      const retry = Effect.fn("Runs.retry")(
        function* (caller: RunsCaller, runId: string, body: RetryBody) {
          return yield* retryRun(caller === "operator" ? {} : caller, yield* find(caller, runId), body)
        },
        sql.withTransaction,
        orSqlDefect
      )

      return Runs.of({ page, find: (caller, runId) => orSqlDefect(find(caller, runId)), get, cancel, retry })
    })
  )
}
