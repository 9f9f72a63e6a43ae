// Postgres is the truth, Temporal can be lost (design: automations as durable executions): re-creates schedules, fires what was missed,
// starts unfinished runs that have no workflow, marks those cancelled whose workflow an operator ended, removes what leaked.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { FormerEpochs } from "../../../engine/actors/FormerEpochs.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { Temporal } from "../../../engine/temporal/Temporal.ts"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import { rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { AutomationStates } from "../definitions/AutomationStates.ts"
import { turnEvent } from "../model/fireCommand.ts"
import { makeOrphans } from "../run/orphanedRuns.ts"
import { RunPlaces } from "../run/RunPlaces.ts"
import { PeriodicTicks } from "../schedules/PeriodicTicks.ts"
import { TemporalSchedules } from "../schedules/TemporalSchedules.ts"
import type { EpochOver } from "./EpochOver.ts"
import { makeReconcileRuns, YOUNG_MILLIS } from "./reconcileRuns.ts"

export interface Reconciled {
  readonly schedules_put: number
  readonly schedules_removed: number
  readonly ticks_fired: number
  readonly runs_started: number
  readonly runs_cancelled: number
  /** Workflows whose run is over, as in a Temporal that was put back: they end now. */
  readonly workflows_woken: number
  /** Workflows of former epochs that still waited. */
  readonly workflows_ended: number
  /** Their definitions are of another release, and cannot be read by this one. */
  readonly automations_broken: number
}

const EVERY = "3 minutes"
const LEAKED_MILLIS = 3_600_000
const AT_ONCE = 8

const WaitingLine = Schema.Struct({ automation_id: Schema.Int, app_id: Schema.Int, org_id: Schema.Int })

export class Reconcile extends Context.Service<
  Reconcile,
  {
    /** @param full also brings schedules up to date that exist and reads what other releases have stored; done at start */
    readonly run: (full: boolean) => Effect.Effect<Reconciled, EpochOver | SqlError | TemporalFailed>
  }
>()("millrace/automations/durable/Reconcile") {
  static readonly layer = Layer.effect(
    Reconcile,
    Effect.gen(function* () {
      const sql = yield* Sql
      const former = yield* FormerEpochs
      const places = yield* RunPlaces
      const states = yield* AutomationStates
      const doRuns = yield* makeReconcileRuns
      const schedules = yield* TemporalSchedules
      const ticks = yield* PeriodicTicks
      const orphans = makeOrphans(sql)
      const outbox = yield* Outbox

      const doSchedules = Effect.fnUntraced(function* (full: boolean) {
        const armed = yield* ticks.armed()
        const there = yield* schedules.list
        const wanted = new Set(armed.map(({ automation_id }) => automation_id))
        const missing = armed.filter(({ automation_id }) => full || !there.has(automation_id))
        const extra = [...there].filter((id) => !wanted.has(id))
        yield* Effect.forEach(missing, schedules.put, { concurrency: AT_ONCE, discard: true })
        yield* Effect.forEach(extra, schedules.remove, { concurrency: AT_ONCE, discard: true })
        const results = yield* Effect.forEach(armed, ({ automation_id }) => ticks.tick(automation_id))
        return { put: missing.length, removed: extra.length, fired: results.filter((r) => r === "fired").length }
      })

      const doLeaks = Effect.gen(function* () {
        const before = new Date((yield* Clock.currentTimeMillis) - LEAKED_MILLIS)
        yield* orphans.end()
        const young = new Date((yield* Clock.currentTimeMillis) - YOUNG_MILLIS)
        yield* sql`DELETE FROM run_places p WHERE taken_on < ${young} AND NOT EXISTS (
          SELECT 1 FROM runs r WHERE r.run_id = p.run_id AND r.completed_on IS NULL)`
        yield* places.lookAtAll
        yield* sql`DELETE FROM automation_events e WHERE created_on < ${before} AND NOT EXISTS (
          SELECT 1 FROM automation_inbox i WHERE i.event_id = e.event_id)`
        // Nobody waits for a turn that was given while nobody looked, nor for a run that is over.
        yield* sql`UPDATE automation_inbox i SET parked = false, due_at = now() FROM runs r
          WHERE i.run_id = r.run_id AND i.parked AND r.completed_on IS NOT NULL`
        const lines = yield* rowsOf(WaitingLine)(sql`
          SELECT DISTINCT automation_id, app_id, org_id FROM runs WHERE turn_wanted_on < ${young} AND completed_on IS NULL`)
        yield* sql.withTransaction(
          outbox.append(
            lines.map(({ automation_id, ...place }) => turnEvent(place, { automation_id, record_id: null, all: true }))
          )
        )
        // A page that polls asks for as long as its run goes on (7.10).
        yield* sql`DELETE FROM run_waits w WHERE created_on < ${before} AND NOT EXISTS (
          SELECT 1 FROM runs r WHERE r.run_id = w.run_id AND (r.completed_on IS NULL OR r.completed_on > ${before}))`
        yield* sql`DELETE FROM automation_failing f WHERE NOT EXISTS (
          SELECT 1 FROM automations a WHERE a.automation_id = f.automation_id AND a.deleted_on IS NULL)`
        for (const table of [sql`webhook_catches`, sql`catch_windows`])
          yield* sql`DELETE FROM ${table} c WHERE NOT EXISTS (
            SELECT 1 FROM automations a WHERE a.automation_id = c.automation_id AND a.deleted_on IS NULL)`
        yield* sql`DELETE FROM calendar_due d USING automations a WHERE a.automation_id = d.automation_id
          AND (a.paused OR a.broken OR a.deleted_on IS NOT NULL OR a.trigger_type IS DISTINCT FROM 'date_field_arrived')`
      })

      const run = Effect.fn("Reconcile.run")(function* (full: boolean) {
        const broken = full ? yield* states.breakUnreadable() : 0
        const { schedules: late, workflows: ended } = yield* former.end
        const of = yield* doSchedules(full)
        const runs = yield* doRuns
        yield* doLeaks
        return {
          schedules_put: of.put,
          schedules_removed: of.removed + late,
          ticks_fired: of.fired,
          runs_started: runs.started,
          runs_cancelled: runs.cancelled,
          workflows_woken: runs.woken,
          workflows_ended: ended,
          automations_broken: broken
        }
      })
      return Reconcile.of({ run })
    })
  )

  /** At start and every few minutes, in every process with a worker: it may be repeated at any time. */
  static readonly layerRounds = Layer.effectDiscard(
    Effect.gen(function* () {
      const reconcile = yield* Reconcile
      const temporal = yield* Temporal
      let full = true
      const round = Effect.suspend(() => reconcile.run(full)).pipe(
        Effect.tap((done) => {
          full = false
          return Object.values(done).some((n) => n > 0) ? Effect.logInfo("reconciled", done) : Effect.void
        }),
        Effect.catchCause((cause) => Effect.logWarning("reconcile failed and is tried again", cause))
      )
      yield* temporal.connection.pipe(
        Effect.andThen(round),
        Effect.andThen(Effect.sleep(EVERY)),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
}
