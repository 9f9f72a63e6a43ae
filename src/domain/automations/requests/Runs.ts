// Lists, reads, cancels and retries runs (developer-api.md 7.11). For a caller who is no workspace admin listings are empty and single runs
// are missing. Runs of deleted automations are hidden.
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { epochInForce } from "../../../engine/epoch/installationRow.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { prefixOf } from "../../../engine/temporal/Epoch.ts"
import { TemporalSettings } from "../../../engine/temporal/Temporal.ts"
import { AppConfig } from "../../../ground/config/Config.ts"
import { Conflict, NotFound, type ValidationError } from "../../../ground/primitives/errors.ts"
import { Cursors } from "../../../ground/sealing/Cursors.ts"
import { countOf, rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { makeReachableApps } from "../../accounts/reachableApps.ts"
import { makeVisibleWorkspaces } from "../../accounts/visibleWorkspaces.ts"
import { AutomationRevisions } from "../run/AutomationRevisions.ts"
import { makeCancelRuns } from "../run/cancelRuns.ts"
import { runWorkflowId, workflowAddress } from "../run/runWorkflowId.ts"
import { makeRunRetries, type RetryBody } from "./runRetries.ts"
import { makeRunSearch, RunFilters } from "./runSearch.ts"
import { makeRunSights, type PresentStep } from "./runSights.ts"
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
export type RunsWithin =
  | { readonly kind: "app" | "workspace" | "automation"; readonly id: number }
  | { readonly kind: "all" }
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

/** Caller; an operator has full access and is no user. */
export type RunsCaller = CallerShape | "operator"

const Reach = Schema.Struct({ app_id: Schema.Int, workspace_id: Schema.Int })

const WorkspaceId = Schema.Struct({ workspace_id: Schema.Int })

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
    ) => Effect.Effect<string | null, NotFound | Conflict | ValidationError>
  }
>()("millrace/automations/requests/Runs") {
  static readonly layer = Layer.effect(
    Runs,
    Effect.gen(function* () {
      const sql = yield* Sql
      const cursors = yield* Cursors
      const outbox = yield* Outbox
      const columns = sql.literal(runColumns)
      const from = sql.literal(
        "FROM runs r JOIN automations x ON x.automation_id = r.automation_id JOIN apps a ON a.app_id = r.app_id"
      )
      const { conditionsOf, ids } = makeRunSearch(sql)
      const administered = makeReachableApps(sql)
      const { presentStep, sightsOf } = makeRunSights(sql, yield* AutomationRevisions)
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

      /** Returns the apps whose runs the caller may see. */
      const reachable = Effect.fnUntraced(function* (caller: RunsCaller) {
        if (caller === "operator") return yield* rowsOf(Reach)(sql`SELECT app_id, workspace_id FROM apps`)
        return yield* administered(caller, 5)
      })

      const visibleTo = makeVisibleWorkspaces(sql)
      const visible = Effect.fnUntraced(function* (caller: RunsCaller, wanted: ReadonlyArray<number>) {
        if (caller !== "operator") return yield* visibleTo(caller, wanted)
        const workspaceRows = yield* rowsOf(WorkspaceId)(
          sql`SELECT workspace_id FROM workspaces WHERE workspace_id = ${ids(wanted)}`
        )
        return workspaceRows.map(({ workspace_id }) => workspace_id)
      })

      const refuseUnknown = (
        kind: "app" | "workspace",
        wanted: ReadonlyArray<number> | undefined,
        known: ReadonlyArray<number>
      ) => {
        const unknown = wanted?.find((id) => !known.includes(id))
        return unknown === undefined
          ? Effect.void
          : Effect.fail(new NotFound({ message: `No ${kind} with id ${unknown}.` }))
      }

      const page = Effect.fn("Runs.page")(function* (
        caller: RunsCaller,
        within: RunsWithin,
        asked: RunFilters,
        limit: number,
        cursor?: string
      ) {
        const reach = yield* reachable(caller)
        const listing = `runs/${caller === "operator" ? caller : caller.userId}/${within.kind === "all" ? "all" : `${within.kind}/${within.id}`}`
        // A cursor carries its filters: a request sends it alone.
        const page = cursor === undefined ? null : yield* cursors.read(listing, cursor, Position)
        const filters = page?.position.filters ?? asked
        yield* refuseUnknown(
          "app",
          filters.app_ids,
          reach.map((row) => row.app_id)
        )
        if (filters.workspace_ids !== undefined) {
          yield* refuseUnknown("workspace", filters.workspace_ids, yield* visible(caller, filters.workspace_ids))
        }
        const apps = reach.filter(
          ({ app_id, workspace_id }) =>
            (within.kind !== "app" || app_id === within.id) &&
            (within.kind !== "workspace" || workspace_id === within.id) &&
            filters.app_ids?.includes(app_id) !== false &&
            filters.workspace_ids?.includes(workspace_id) !== false
        )
        const where = sql.and([
          sql`x.deleted_on IS NULL AND r.app_id = ${ids(apps.map(({ app_id }) => app_id))}`,
          // Only an automation's own listing includes simulations.
          within.kind === "automation" ? sql`r.automation_id = ${within.id}` : sql`r.type <> 'simulation'`,
          ...conditionsOf(filters)
        ])
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
