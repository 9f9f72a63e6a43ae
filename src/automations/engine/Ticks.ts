// Ticks of `periodic` (developer-api.md 7.5 rule 2; decisions A4): whoever wakes us, the latest instant not yet fired is fired once;
// it is skipped while the previous run of the automation is unfinished.
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../outbox/Outbox.ts"
import { fireEvent } from "../triggers/fire.ts"
import { latestInstant, nextInstant, type Schedule } from "../triggers/instants.ts"
import type { ScheduleConfig } from "../triggers/schedule.ts"

export interface ArmedSchedule extends Schedule {
  readonly automation_id: number
  readonly org_id: number
  readonly app_id: number
  readonly name: string
  /** Epoch milliseconds: fired or skipped up to here. */
  readonly done: number
}

export type TickResult = "fired" | "skipped" | "nothing"

export class Ticks extends Context.Service<
  Ticks,
  {
    /** Active periodic automations with their schedules; one or all. */
    readonly armed: (automationId?: number) => Effect.Effect<ReadonlyArray<ArmedSchedule>, SqlError>
    /** From its activation on an automation's instants count. */
    readonly arm: (automationId: number) => Effect.Effect<void, SqlError>
    readonly tick: (automationId: number) => Effect.Effect<TickResult, SqlError>
  }
>()("millrace/automations/engine/Ticks") {
  static readonly layer = Layer.effect(
    Ticks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox

      const armed = Effect.fnUntraced(function* (automationId?: number) {
        const rows = yield* sql<{
          automation_id: number
          org_id: number
          app_id: number
          name: string
          zone: string
          config: ScheduleConfig
          armed_on: Date
          last_instant: Date | null
        }>`
          SELECT a.automation_id, a.org_id, a.app_id, a.name, a.trigger -> 'config' AS config, s.last_instant,
            coalesce(a.trigger -> 'config' ->> 'timezone', a.timezone) AS zone,
            coalesce(s.armed_on, a.activated_on, a.updated_on) AS armed_on
          FROM automations a LEFT JOIN automation_schedules s USING (automation_id)
          WHERE a.trigger_type = 'periodic' AND NOT a.paused AND NOT a.broken AND a.deleted_on IS NULL
            AND ${automationId === undefined ? sql.literal("true") : sql`a.automation_id = ${automationId}`}`
        return rows.map(
          ({ armed_on, last_instant, ...row }): ArmedSchedule => ({
            ...row,
            armedOn: armed_on.getTime(),
            done: Math.max(armed_on.getTime(), last_instant?.getTime() ?? 0)
          })
        )
      })

      const arm = Effect.fnUntraced(function* (automationId: number) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`
          INSERT INTO automation_schedules (automation_id, armed_on) VALUES (${automationId}, ${now})
          ON CONFLICT (automation_id) DO UPDATE SET armed_on = excluded.armed_on, last_instant = NULL`
      })

      const tick = Effect.fnUntraced(function* (automationId: number) {
        const [schedule] = yield* armed(automationId)
        if (schedule === undefined) return "nothing" as const
        const now = yield* Clock.currentTimeMillis
        const instant = latestInstant(schedule, schedule.done, now)
        if (instant === null) return "nothing" as const
        const at = new Date(instant)
        const [mine] = yield* sql`
          INSERT INTO automation_schedules (automation_id, armed_on, last_instant)
          VALUES (${automationId}, ${new Date(schedule.armedOn)}, ${at})
          ON CONFLICT (automation_id) DO UPDATE SET last_instant = excluded.last_instant
          WHERE coalesce(automation_schedules.last_instant, automation_schedules.armed_on) < excluded.last_instant
          RETURNING 1`
        if (mine === undefined) return "nothing" as const
        const busy = yield* sql`
          SELECT 1 FROM runs WHERE automation_id = ${automationId} AND completed_on IS NULL
          UNION ALL SELECT 1 FROM automation_inbox i JOIN automation_events e USING (event_id)
            WHERE i.automation_id = ${automationId} AND e.payload ->> 'expects' = 'periodic' LIMIT 1`
        if (busy.length > 0) return "skipped" as const
        yield* outbox.append([
          fireEvent(
            {
              automation_id: automationId,
              run_type: "regular",
              expects: "periodic",
              data: { scheduled_at: instant, next_scheduled_at: nextInstant(schedule, instant) }
            },
            { org_id: schedule.org_id, app_id: schedule.app_id, record_id: null, depth: 0, cause: null }
          )
        ])
        return "fired" as const
      }, sql.withTransaction)

      return Ticks.of({ armed, arm, tick })
    })
  )
}
