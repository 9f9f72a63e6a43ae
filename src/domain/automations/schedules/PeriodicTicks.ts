// Ticks of `periodic` (developer-api.md 7.5 rule 2; decisions A4). Whatever the source of a wake-up, the latest instant not yet fired is
// fired once. It is skipped while the previous run of the automation is open.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { isZone } from "../../../platform/primitives/zones.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { readConfig } from "../input/storedDefinition.ts"
import { AUTOMATION_FIRE, fireEvent } from "../model/fireCommand.ts"
import { latestInstant, nextInstant, type Schedule } from "../triggers/periodic/instants.ts"
import type { ScheduleConfig } from "../triggers/periodic/ScheduleConfig.ts"
import { isTooClose } from "../triggers/periodic/scheduleChecks.ts"

export interface ArmedSchedule extends Schedule {
  readonly automation_id: number
  readonly org_id: number
  readonly app_id: number
  readonly name: string
  /** Last instant that was fired or skipped, in epoch milliseconds. */
  readonly last: number | null
  /** Epoch milliseconds up to which nothing is due: fired, skipped, or earlier than the activation or the schedule's change. */
  readonly done: number
}

export type TickResult = "fired" | "skipped" | "nothing"

/** Maximum by which Temporal's clock may be ahead of ours when its schedule wakes us. */
const AHEAD_MILLIS = 5_000

const ArmedAutomation = Schema.Struct({
  automation_id: Schema.Int,
  org_id: Schema.Int,
  app_id: Schema.Int,
  name: Schema.String,
  zone: Schema.String,
  config: Schema.Unknown,
  format: Schema.Int,
  activated_on: Schema.Date,
  armed_on: Schema.Date,
  last_instant: Schema.NullOr(Schema.Date)
})

export class PeriodicTicks extends Context.Service<
  PeriodicTicks,
  {
    /** Returns active periodic automations with their schedules; one or all. */
    readonly armed: (automationId?: number) => Effect.Effect<ReadonlyArray<ArmedSchedule>, SqlError>
    /** True if the automation has or has had a schedule. */
    readonly known: (automationId: number) => Effect.Effect<boolean, SqlError>
    /** Fires the latest instant that is due by now. */
    readonly tick: (automationId: number) => Effect.Effect<TickResult, SqlError>
    /** Does the same for a wake-up at an instant: waits for an instant that is about to come. */
    readonly tickAtInstant: (automationId: number) => Effect.Effect<TickResult, SqlError>
    readonly forget: (automationId: number) => Effect.Effect<void, SqlError>
  }
>()("millrace/automations/schedules/PeriodicTicks") {
  static readonly layer = Layer.effect(
    PeriodicTicks,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const { scheduleMinimumSeconds } = yield* AppConfig
      const least = scheduleMinimumSeconds * 1_000
      const active = sql.literal(
        "a.trigger_type = 'periodic' AND NOT a.paused AND NOT a.broken AND a.deleted_on IS NULL"
      )
      const definition = sql.literal("jsonb_build_object('config', a.trigger -> 'config', 'timezone', a.timezone)")

      const armed = Effect.fnUntraced(function* (automationId?: number) {
        const rows = yield* rowsOf(ArmedAutomation)(sql`
          SELECT a.automation_id, a.org_id, a.app_id, a.name, a.trigger -> 'config' AS config, a.format, s.last_instant, a.activated_on,
            coalesce(a.trigger -> 'config' ->> 'timezone', a.timezone) AS zone, coalesce(s.armed_on, a.activated_on) AS armed_on
          FROM automations a LEFT JOIN automation_schedules s USING (automation_id)
          WHERE ${active} AND ${automationId === undefined ? sql.literal("true") : sql`a.automation_id = ${automationId}`}`)
        return rows.flatMap(
          ({ activated_on, armed_on, format, last_instant, ...row }): ReadonlyArray<ArmedSchedule> => {
            const config: ScheduleConfig | null = readConfig("periodic", { config: row.config, format })
            // An active automation accepts a change that does not validate (7.2): in a time zone that does not exist nothing comes due.
            if (config === null || !isZone(row.zone)) return []
            const lastInstant = last_instant?.getTime() ?? null
            const firedUntil = Math.max(activated_on.getTime(), armed_on.getTime(), lastInstant ?? 0)
            return [{ ...row, config, armedOn: activated_on.getTime(), last: lastInstant, done: firedUntil }]
          }
        )
      })

      /** SQL for the time since which the automation has its present trigger and time zone, if earlier revisions have others. */
      const since = sql`(
        SELECT min(r.created_on) FROM automation_revisions r WHERE r.automation_id = a.automation_id AND r.revision_id > (
          SELECT max(b.revision_id) FROM automation_revisions b
          WHERE b.automation_id = a.automation_id AND (b.trigger, b.timezone) IS DISTINCT FROM (a.trigger, a.timezone)))`

      /** Locks the automation until the transaction ends: its trigger, and the time since which it has it, do not change meanwhile. */
      const holding = (automationId: number) =>
        sql`SELECT 1 FROM automations WHERE automation_id = ${automationId} FOR SHARE`

      /**
       * Stores the start of a schedule. Instants count from the activation or the last change of the schedule; other changes of the
       * automation do not move them.
       */
      const arm = (automationId: number) => sql`
        INSERT INTO automation_schedules AS s (automation_id, armed_on, definition)
        SELECT a.automation_id, greatest(a.activated_on, ${since}), ${definition} FROM automations a
        WHERE a.automation_id = ${automationId} AND ${active}
        ON CONFLICT (automation_id) DO UPDATE SET
          armed_on = greatest(s.armed_on, excluded.armed_on), definition = excluded.definition
        WHERE s.definition <> excluded.definition OR s.armed_on < excluded.armed_on`

      /** True if a run is open. An earlier instant that has not become a run yet counts as a run. */
      const busy = (automationId: number) =>
        Effect.map(
          sql`
            SELECT 1 FROM runs WHERE automation_id = ${automationId} AND completed_on IS NULL AND type <> 'simulation'
            UNION ALL SELECT 1 FROM automation_inbox i JOIN automation_events e USING (event_id)
              WHERE i.automation_id = ${automationId} AND e.payload ->> 'expects' = 'periodic'
            UNION ALL SELECT 1 FROM outbox WHERE type = ${AUTOMATION_FIRE} AND payload ->> 'expects' = 'periodic'
              AND payload ->> 'automation_id' = ${String(automationId)}
            LIMIT 1`,
          (rows) => rows.length > 0
        )

      /**
       * True if the instant must not fire. A schedule that was changed while active, or under another minimum, may have instants too close
       * to each other.
       */
      const isTooSoon = ({ config }: ArmedSchedule, last: number | null, next: number) =>
        last !== null && next - last < least && isTooClose(config, least)

      const nextAfter = (schedule: ArmedSchedule, instant: number) => {
        const next = nextInstant(schedule, instant)
        return next !== null && isTooSoon(schedule, instant, next) ? nextInstant(schedule, instant + least - 1) : next
      }

      const tick = Effect.fnUntraced(function* (automationId: number) {
        yield* holding(automationId)
        yield* arm(automationId)
        const [schedule] = yield* armed(automationId)
        if (schedule === undefined) return "nothing" as const
        const instant = latestInstant(schedule, schedule.done, yield* Clock.currentTimeMillis)
        if (instant === null || isTooSoon(schedule, schedule.last, instant)) return "nothing" as const
        const instantDate = new Date(instant)
        const [mine] = yield* sql`
          UPDATE automation_schedules SET last_instant = ${instantDate}
          WHERE automation_id = ${automationId} AND greatest(last_instant, armed_on) < ${instantDate} RETURNING 1`
        if (mine === undefined) return "nothing" as const
        if (yield* busy(automationId)) return "skipped" as const
        yield* outbox.append([
          fireEvent(
            {
              automation_id: automationId,
              run_type: "regular",
              expects: "periodic",
              data: { scheduled_at: instant, next_scheduled_at: nextAfter(schedule, instant) }
            },
            { org_id: schedule.org_id, app_id: schedule.app_id, record_id: null, depth: 0, cause: null }
          )
        ])
        return "fired" as const
      }, sql.withTransaction)

      const tickAtInstant = Effect.fnUntraced(function* (automationId: number) {
        const outcome = yield* tick(automationId)
        const [schedule] = outcome === "nothing" ? yield* armed(automationId) : []
        if (schedule === undefined) return outcome
        const nowMillis = yield* Clock.currentTimeMillis
        const next = nextInstant(schedule, nowMillis)
        if (next === null || next - nowMillis > AHEAD_MILLIS) return outcome
        yield* Effect.sleep(next - nowMillis)
        return yield* tick(automationId)
      })

      return PeriodicTicks.of({
        armed,
        known: (automationId) =>
          Effect.map(
            sql`SELECT 1 FROM automation_schedules WHERE automation_id = ${automationId}`,
            (rows) => rows.length > 0
          ),
        tick,
        tickAtInstant,
        forget: (automationId) =>
          Effect.asVoid(sql`DELETE FROM automation_schedules WHERE automation_id = ${automationId}`)
      })
    })
  )
}
