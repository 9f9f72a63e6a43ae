// Home page of a person who administers apps: failures, waiting work with its reasons, work due within a day, and the last 24 hours by the
// hour. Covers the apps that they administer, as their credential's scopes allow. Every query is bounded, and tells where it stopped.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { type CallerShape, holds } from "../accounts/Caller.ts"
import { makeReachableApps } from "../accounts/reachableApps.ts"
import type { Scope } from "../accounts/Scope.ts"
import { waitingBy } from "../automations/run/waitReasons.ts"
import {
  type DueRow,
  type FailingAutomation,
  type FailingHook,
  HOURS,
  HomeRows,
  type HomeSummary,
  hoursOf,
  type WaitingRuns
} from "./homeSummary.ts"

const HOUR = 3_600_000
/** Entries of each list. */
const SHOWN = 20
/** Maximum number of runs that are read: the newest of the organization, and the open ones. */
const RUNS_LOOKED_AT = 20_000

const Limited = Schema.Struct({ looked: Schema.Int })

export class Home extends Context.Service<
  Home,
  { readonly summary: (caller: CallerShape) => Effect.Effect<HomeSummary> }
>()("millrace/home/Home") {
  static readonly layer = Layer.effect(
    Home,
    Effect.gen(function* () {
      const sql = yield* Sql
      const administered = makeReachableApps(sql)
      const bigints = (ids: ReadonlyArray<number>) => sql`ANY(${ids.map(String)}::text[]::bigint[])`

      const recent = (orgId: number, since: Date) => sql`
        SELECT * FROM (SELECT run_id, app_id, automation_id, type, status, error_message, created_on, completed_on FROM runs
          WHERE org_id = ${orgId} ORDER BY run_id DESC LIMIT ${RUNS_LOOKED_AT}) newest
        WHERE created_on >= ${since} AND type <> 'simulation'`

      const runs = Effect.fnUntraced(function* (orgId: number, apps: ReadonlyArray<number>, since: Date) {
        const byHour = yield* rowsOf(HomeRows.runs)(sql`
          SELECT date_trunc('hour', coalesce(completed_on, created_on), 'UTC') AS "from", status, count(*)::int AS n
          FROM (${recent(orgId, since)}) r WHERE app_id = ${bigints(apps)} GROUP BY 1, 2`)
        const failing: ReadonlyArray<FailingAutomation> = yield* rowsOf(HomeRows.automations)(sql`
          WITH failed AS (
            SELECT automation_id, count(*)::int AS failed_runs, max(run_id) AS last FROM (${recent(orgId, since)}) r
            WHERE status = 'failed' AND app_id = ${bigints(apps)} GROUP BY automation_id
          )
          SELECT x.automation_id, x.name, x.app_id, a.name AS app_name, x.broken, coalesce(f.failed_runs, 0) AS failed_runs,
            f.last::text AS last_run_id, r.error_message AS last_error
          FROM automations x JOIN apps a USING (app_id) LEFT JOIN failed f USING (automation_id) LEFT JOIN runs r ON r.run_id = f.last
          WHERE x.org_id = ${orgId} AND x.deleted_on IS NULL AND x.app_id = ${bigints(apps)} AND (f.last IS NOT NULL OR x.broken)
          ORDER BY f.last DESC NULLS LAST, x.automation_id LIMIT ${SHOWN}`)
        const [counted] = yield* rowsOf(Limited)(sql`
          SELECT count(*)::int AS looked FROM (SELECT created_on FROM runs WHERE org_id = ${orgId}
            ORDER BY run_id DESC LIMIT ${RUNS_LOOKED_AT}) newest WHERE created_on >= ${since}`)
        return { byHour, failing, whole: counted!.looked < RUNS_LOOKED_AT }
      })

      const waitingRuns = Effect.fnUntraced(function* (orgId: number, apps: ReadonlyArray<number>) {
        const rows: ReadonlyArray<WaitingRuns> = yield* rowsOf(HomeRows.waiting)(sql`
          SELECT why, count(*)::int AS runs, min(created_on) AS oldest FROM (
            SELECT coalesce(${waitingBy(sql)}, 'running') AS why, r.created_on FROM automations x JOIN runs r USING (automation_id)
            WHERE x.org_id = ${orgId} AND x.deleted_on IS NULL AND x.app_id = ${bigints(apps)} AND r.completed_on IS NULL
            LIMIT ${RUNS_LOOKED_AT}) open
          GROUP BY why ORDER BY runs DESC, why`)
        return rows
      })

      const due = (
        orgId: number,
        apps: ReadonlyArray<number>,
        until: Date,
        titled: boolean
      ): Effect.Effect<ReadonlyArray<DueRow>, never> =>
        orSqlDefect(
          rowsOf(HomeRows.due)(sql`
            SELECT d.due_at, d.automation_id, x.name, d.app_id, d.record_id,
              coalesce(CASE WHEN ${titled} THEN r.title END, a.item_name || ' #' || r.app_record_id) AS title
            FROM calendar_due d JOIN automations x USING (automation_id) JOIN records r USING (record_id)
              JOIN apps a ON a.app_id = d.app_id
            WHERE d.org_id = ${orgId} AND d.app_id = ${bigints(apps)} AND d.due_at <= ${until}
            ORDER BY d.due_at, d.record_id LIMIT ${SHOWN}`)
        )

      const hooks = Effect.fnUntraced(function* (apps: ReadonlyArray<number>, since: Date) {
        const failing: ReadonlyArray<FailingHook> = yield* rowsOf(HomeRows.hooks)(sql`
          SELECT h.hook_id, h.app_id, a.name AS app_name, h.type, h.host, h.status, h.num_failed_executions AS failures
          FROM hooks h JOIN apps a USING (app_id)
          WHERE h.app_id = ${bigints(apps)} AND (h.num_failed_executions > 0 OR (h.status = 'inactive' AND h.verified_on IS NOT NULL))
          ORDER BY h.num_failed_executions DESC, h.hook_id LIMIT ${SHOWN}`)
        const byHour = yield* rowsOf(HomeRows.deliveries)(sql`
          SELECT date_trunc('hour', s.counted_on, 'UTC') AS "from", sum(s.delivered)::int AS delivered, sum(s.retrying)::int AS retrying,
            sum(s.failed)::int AS failed
          FROM hooks h JOIN hook_statistics s USING (hook_id)
          WHERE h.app_id = ${bigints(apps)} AND s.counted_on >= ${since} GROUP BY 1`)
        return { failing, byHour }
      })

      const summary = Effect.fn("Home.summary")(function* (caller: CallerShape) {
        const nowMillis = yield* Clock.currentTimeMillis
        const since = new Date(Math.floor(nowMillis / HOUR) * HOUR - (HOURS - 1) * HOUR)
        const until = new Date(nowMillis + 24 * HOUR)
        const apps = (yield* administered(caller, 5)).map(({ app_id }) => app_id)
        const may = (scope: Scope) => apps.length > 0 && holds(caller, scope)
        const nothing = { byHour: [], failing: [] }
        const automations = may("automations:read")
          ? yield* Effect.all({
              runs: runs(caller.orgId, apps, since),
              waiting: waitingRuns(caller.orgId, apps),
              due: due(caller.orgId, apps, until, holds(caller, "records:read"))
            })
          : { runs: { ...nothing, whole: true }, waiting: [], due: [] }
        const webhooks = may("webhooks:manage") ? yield* hooks(apps, since) : nothing
        return {
          since: formatDateTime(since),
          whole: automations.runs.whole,
          automations: automations.runs.failing,
          hooks: webhooks.failing,
          waiting: automations.waiting.map(({ oldest, ...row }) => ({ ...row, oldest: formatDateTime(oldest) })),
          due: automations.due.map(({ due_at, ...row }) => ({ due_at: formatDateTime(due_at), ...row })),
          hours: hoursOf(since, automations.runs.byHour, webhooks.byHour)
        } satisfies HomeSummary
      }, orSqlDefect)

      return Home.of({ summary })
    })
  )
}
