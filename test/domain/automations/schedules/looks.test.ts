// The looks of Temporal itself at schedules of ours (decisions A4; developer-api.md 7.5 rule 2): around every clock change of a year each
// instant that is due has one. Time is virtual: Temporal is asked what a schedule will match.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { specOf } from "../../../../src/domain/automations/schedules/temporalSpec.ts"
import { nextInstant } from "../../../../src/domain/automations/triggers/periodic/instants.ts"
import type { ScheduleConfig } from "../../../../src/domain/automations/triggers/periodic/ScheduleConfig.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { clockChanges } from "../../../../src/platform/primitives/zones.ts"
import { spineLayer } from "../../../support/spine.ts"

const DAY = 86_400_000
const NOW = Date.UTC(2027, 0, 10)
const everyDay = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

/** Ahead of UTC and behind, with changes at midnight, of half an hour, and of two. */
const zones = [
  ...["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Asia/Beirut"],
  ...["America/Asuncion", "America/Havana", "Africa/Casablanca", "Atlantic/Azores", "Antarctica/Troll"]
]
const weekly = (time_of_day: string, ...week_days: ReadonlyArray<string>): Partial<ScheduleConfig> => ({
  ...{ schedule_type: "weekly", time_of_day, week_days }
})
const cron = (cron_expression: string): Partial<ScheduleConfig> => ({ schedule_type: "cron", cron_expression })
const kinds: ReadonlyArray<Partial<ScheduleConfig>> = [
  ...["00:00", "00:30", "01:30", "02:15", "23:45"].map(
    (time_of_day) => ({ schedule_type: "daily", time_of_day }) as const
  ),
  ...everyDay.map((day) => weekly("12:00", day)),
  ...[weekly("00:30", "sunday", "friday"), weekly("23:30", "saturday", "thursday")],
  { schedule_type: "monthly", time_of_day: "01:15", month_days: [-1, 1, 8, 14, 25, 28, 31] },
  {
    ...{ schedule_type: "monthly", time_of_day: "00:30", month_days: [], skip_dates: ["2027-03-28"] },
    month_weekdays: [1, 2, 3, 4, 5, -1].flatMap((nth) => ["sunday", "friday"].map((week_day) => ({ nth, week_day })))
  },
  ...["0 * * * *", "*/30 * * * *", "*/15 0-3 * * *", "5,35 0-4 * * *", "0 */2 * * SUN", "30 0 * * FRI,SUN"].map(cron),
  ...["0 0 L * *", "0 1 LW,1W * *", "0 2 * * 0L", "30 1 8-14 * 0#2", "@daily", "0 0,12 1-31 * MON"].map(cron),
  { schedule_type: "interval", interval_amount: 1, interval_unit: "day", starts_at: "2026-12-01 00:30" }
]

const armed = (config: Partial<ScheduleConfig>, zone: string) => ({
  ...{ automation_id: 1, org_id: 1, app_id: 1, name: "x", zone, armedOn: NOW - DAY, last: null, done: 0 },
  config: { schedule_type: "daily", time_of_day: "00:00", week_days: [], month_days: [], ...config } as ScheduleConfig
})
const iso = (millis: number) => new Date(millis).toISOString()

layer(spineLayer(), { excludeTestServices: true, timeout: 240_000 })("the looks of Temporal", (it) => {
  it.effect("around the clock changes of a year each instant that is due has one, in zones of every kind", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      let instants = 0
      const missed: Array<string> = []
      const check = Effect.fnUntraced(function* (zone: string, config: Partial<ScheduleConfig>, id: string) {
        const schedule = armed(config, zone)
        yield* temporal.call(async (client) => {
          const handle = await client.schedule.create({
            scheduleId: id,
            spec: specOf(schedule, NOW),
            state: { paused: true },
            action: { type: "startWorkflow", workflowType: "none", taskQueue: "none", workflowId: id }
          })
          for (const { at } of clockChanges(NOW, NOW + 365 * DAY, zone)) {
            const [from, to] = [at - DAY - 1_000, at + DAY]
            const { startTime: looks = [] } = await client.workflowService.listScheduleMatchingTimes({
              namespace: client.options.namespace,
              scheduleId: id,
              startTime: { seconds: Math.floor(from / 1_000) as never },
              endTime: { seconds: Math.floor(to / 1_000) as never }
            })
            const lookInstants = new Set((looks ?? []).map(({ seconds }) => Number(seconds) * 1_000))
            for (let due = nextInstant(schedule, from); due !== null && due <= to; due = nextInstant(schedule, due)) {
              instants++
              if (!lookInstants.has(due))
                missed.push(`${zone} ${JSON.stringify(config)} at ${iso(due)}, change at ${iso(at)}`)
            }
          }
          await handle.delete()
        })
      })
      const allCases = zones.flatMap((zone, z) => kinds.map((config, k) => [zone, config, `looks/${z}/${k}`] as const))
      // Each kind in several zones, and each zone with every third kind or more.
      const some = allCases.filter((_, n) => n % 3 === 0 || zones.length * kinds.length < 100)
      yield* Effect.forEach(some, (one) => check(...one), { concurrency: 8, discard: true })
      assert.deepStrictEqual(missed, [])
      assert.isAbove(instants, 1_000)
    })
  )
})
