// Restores what Temporal has lost: Postgres is the source of truth (design: automations as durable executions). It re-creates schedules,
// fires missed ticks, starts open runs that have no workflow, cancels runs whose workflow an operator ended, and deletes leaked rows. A
// part that fails does not stop the others.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { FormerEpochs } from "../../../engine/actors/FormerEpochs.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { Temporal } from "../../../engine/temporal/Temporal.ts"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import { allInTurn } from "../../../platform/primitives/allInTurn.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { AutomationTransitions } from "../definitions/AutomationTransitions.ts"
import { turnEvent } from "../model/fireCommand.ts"
import { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { makeEndOrphanedRuns } from "../run/orphanedRuns.ts"
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
  /** Workflows whose run has ended, as after a restore of Temporal: they end now. */
  readonly workflows_woken: number
  /** Workflows of former epochs that still waited. */
  readonly workflows_ended: number
  /** Automations whose definitions another release wrote and this one cannot read. */
  readonly automations_broken: number
}

const EVERY = "3 minutes"
const LEAKED_MILLIS = 3_600_000
const AT_ONCE = 8

const WaitingLine = Schema.Struct({ automation_id: Schema.Int, app_id: Schema.Int, org_id: Schema.Int })

export class Reconcile extends Context.Service<
  Reconcile,
  {
    /** @param full also updates existing schedules and checks definitions of other releases; used at startup */
    readonly run: (full: boolean) => Effect.Effect<Reconciled, EpochOver | SqlError | TemporalFailed>
  }
>()("millrace/automations/durable/Reconcile") {
  static readonly layer = Layer.effect(
    Reconcile,
    Effect.gen(function* () {
      const sql = yield* Sql
      const former = yield* FormerEpochs
      const runSlots = yield* OrganizationSlots
      const states = yield* AutomationTransitions
      const doRuns = yield* makeReconcileRuns
      const schedules = yield* TemporalSchedules
      const ticks = yield* PeriodicTicks
      const endOrphanedRuns = makeEndOrphanedRuns(sql)
      const outbox = yield* Outbox

      const putSchedules = Effect.fnUntraced(function* (full: boolean) {
        const armed = yield* ticks.armed()
        const scheduledIds = yield* schedules.list
        const armedIds = new Set(armed.map(({ automation_id }) => automation_id))
        const missing = armed.filter(({ automation_id }) => full || !scheduledIds.has(automation_id))
        const extra = [...scheduledIds].filter((id) => !armedIds.has(id))
        yield* Effect.forEach(missing, schedules.put, { concurrency: AT_ONCE, discard: true })
        yield* Effect.forEach(extra, schedules.remove, { concurrency: AT_ONCE, discard: true })
        return { put: missing.length, removed: extra.length }
      })

      const fireMissed = Effect.gen(function* () {
        const results = yield* Effect.forEach(yield* ticks.armed(), ({ automation_id }) => ticks.tick(automation_id))
        return results.filter((result) => result === "fired").length
      })

      /** Starts queued runs whose slot became free while no process was running. */
      const giveTurns = Effect.fnUntraced(function* (young: Date) {
        const lines = yield* rowsOf(WaitingLine)(sql`
          SELECT DISTINCT automation_id, app_id, org_id FROM runs WHERE turn_wanted_on < ${young} AND completed_on IS NULL`)
        yield* sql.withTransaction(
          outbox.append(
            lines.map(({ automation_id, ...place }) => turnEvent(place, { automation_id, record_id: null, all: true }))
          )
        )
      })

      const doLeaks = Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const leakedBefore = new Date(nowMillis - LEAKED_MILLIS)
        const young = new Date(nowMillis - YOUNG_MILLIS)
        const ofGone = (table: "webhook_catches" | "catch_windows" | "automation_failing") => sql`
          DELETE FROM ${sql(table)} t WHERE NOT EXISTS (
            SELECT 1 FROM automations a WHERE a.automation_id = t.automation_id AND a.deleted_on IS NULL)`
        yield* allInTurn({
          orphans: endOrphanedRuns(),
          places: sql`DELETE FROM run_places p WHERE taken_on < ${young} AND NOT EXISTS (
            SELECT 1 FROM runs r WHERE r.run_id = p.run_id AND r.completed_on IS NULL)`,
          line: runSlots.lookAtAll,
          events: sql`DELETE FROM automation_events e WHERE created_on < ${leakedBefore} AND NOT EXISTS (
            SELECT 1 FROM automation_inbox i WHERE i.event_id = e.event_id)`,
          // A run that has ended waits for nothing: its parked mailbox row is due.
          parked: sql`UPDATE automation_inbox i SET parked = false, due_at = now() FROM runs r
            WHERE i.run_id = r.run_id AND i.parked AND r.completed_on IS NOT NULL`,
          turns: giveTurns(young),
          // A page that polls keeps asking for as long as its run is open (7.10).
          waits: sql`DELETE FROM run_waits w WHERE created_on < ${leakedBefore} AND NOT EXISTS (
            SELECT 1 FROM runs r WHERE r.run_id = w.run_id AND (r.completed_on IS NULL OR r.completed_on > ${leakedBefore}))`,
          failing: ofGone("automation_failing"),
          catches: ofGone("webhook_catches"),
          windows: ofGone("catch_windows"),
          due: sql`DELETE FROM calendar_due d USING automations a WHERE a.automation_id = d.automation_id
            AND (a.paused OR a.broken OR a.deleted_on IS NOT NULL OR a.trigger_type IS DISTINCT FROM 'date_field_arrived')`
        })
      })

      const run = Effect.fn("Reconcile.run")(function* (full: boolean) {
        // The check for broken automations comes first: a broken one gets no schedule.
        const outcomes = yield* allInTurn({
          broken: full ? states.breakUnreadable() : Effect.succeed(0),
          former: former.end,
          schedules: putSchedules(full),
          fired: fireMissed,
          runs: doRuns,
          leaks: doLeaks
        })
        return {
          schedules_put: outcomes.schedules.put,
          schedules_removed: outcomes.schedules.removed + outcomes.former.schedules,
          ticks_fired: outcomes.fired,
          runs_started: outcomes.runs.started,
          runs_cancelled: outcomes.runs.cancelled,
          workflows_woken: outcomes.runs.woken,
          workflows_ended: outcomes.former.workflows,
          automations_broken: outcomes.broken
        }
      })
      return Reconcile.of({ run })
    })
  )

  /** Reconciles at startup and every few minutes, in every process with a worker. Repeating it is always safe. */
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
