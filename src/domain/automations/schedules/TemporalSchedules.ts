// One Temporal Schedule per active periodic automation, `automations/<id>/schedule` (decisions A4). Its ticks only wake: PeriodicTicks.ts knows
// what is due. Temporal leaves out local times that a clock change skips, so the instants right after such changes are added.
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleSpec
} from "@temporalio/client"
import { Clock, Context, Cron, Effect, Layer, Result } from "effect"
import * as messages from "../../../engine/temporal/messages.ts"
import { Temporal } from "../../../engine/temporal/Temporal.ts"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import { timeOfDay } from "../../../ground/primitives/calendar.ts"
import { parseDateTime } from "../../../ground/primitives/dates.ts"
import { gaps, toLocal } from "../../../ground/primitives/zones.ts"
import { weekDays } from "../triggers/periodic/spec.ts"
import type { ArmedSchedule } from "./PeriodicTicks.ts"

const DAY = 86_400_000
/** Clock changes are entered this far ahead; reconcile brings them up to date. */
const AHEAD = 400 * DAY
const MINUTE = 60_000
const SECOND = 1_000
const MONTHS = [
  "JANUARY",
  "FEBRUARY",
  "MARCH",
  "APRIL",
  "MAY",
  "JUNE",
  "JULY",
  "AUGUST",
  "SEPTEMBER",
  "OCTOBER",
  "NOVEMBER",
  "DECEMBER"
] as const

export const scheduleId = (automationId: number): string => `automations/${automationId}/schedule`

const capital = (day: string) => day.toUpperCase() as "MONDAY"

const timeOf = (instant: number, zone: string) => {
  const local = new Date(toLocal(instant, zone))
  return { hour: local.getUTCHours(), minute: local.getUTCMinutes(), second: local.getUTCSeconds() }
}

/**
 * Temporal reads expressions otherwise (it wants day of month and of week to match both), so ours become calendars: one by day of
 * the month, one by day of the week where either is enough. A look too many does no harm.
 */
const ofCron = (expression: string): ReadonlyArray<object> => {
  const parsed = Cron.parse(expression.trim(), "UTC")
  if (Result.isFailure(parsed)) return []
  const { days, hours, minutes, months, weekdays } = parsed.success
  const list = (values: ReadonlySet<number>) => (values.size === 0 ? "*" : [...values])
  const time = {
    minute: list(minutes),
    hour: list(hours),
    month: months.size === 0 ? "*" : [...months].map((month) => MONTHS[month - 1]!)
  }
  const byDay = { ...time, dayOfMonth: list(days) }
  if (weekdays.size === 0) return [byDay]
  const byWeekday = { ...time, dayOfWeek: [...weekdays].map((day) => capital(weekDays[(day + 6) % 7]!)) }
  return days.size === 0 ? [byWeekday] : [byDay, byWeekday]
}

export const specOf = (schedule: ArmedSchedule, now: number): ScheduleSpec => {
  const { config, zone } = schedule
  const minutes = timeOfDay(config.time_of_day) / MINUTE
  const clock = { hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0 }
  const skipped = gaps(now, now + AHEAD, zone).map((instant) => {
    const local = new Date(toLocal(instant, zone))
    const [year, month, dayOfMonth] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
    return { year, month: MONTHS[month]!, dayOfMonth, ...timeOf(instant, zone) }
  })
  const calendars = (...entries: ReadonlyArray<object>) => ({
    calendars: [...entries, ...skipped] as NonNullable<ScheduleSpec["calendars"]>,
    timezone: zone
  })
  switch (config.schedule_type) {
    case "interval": {
      const amount = config.interval_amount ?? 1
      const start = config.starts_at === undefined ? undefined : parseDateTime(config.starts_at)?.date.getTime()
      const anchor = Math.ceil((start ?? schedule.armedOn) / SECOND) * SECOND
      // Days keep the wall clock: one look a day at that time.
      if (config.interval_unit === "day" || config.interval_unit === undefined) return calendars(timeOf(anchor, zone))
      const every = amount * { minute: MINUTE, hour: 60 * MINUTE }[config.interval_unit]
      return { intervals: [{ every, offset: anchor % every }] }
    }
    case "weekly":
      return calendars({
        ...clock,
        dayOfWeek: config.week_days.filter((d) => weekDays.includes(d as never)).map(capital)
      })
    case "monthly": {
      const days = config.month_days.filter((day) => day > 0)
      const last = config.month_days.includes(-1) ? lastDays.map((day) => ({ ...clock, ...day })) : []
      return calendars(...(days.length > 0 ? [{ ...clock, dayOfMonth: days }] : []), ...last)
    }
    case "cron":
      return calendars(...ofCron(config.cron_expression ?? ""))
    default:
      return calendars(clock)
  }
}

/** The last days of months, as calendars show them to operators; 2100 is no leap year. */
const lastDays = [
  { month: ["JANUARY", "MARCH", "MAY", "JULY", "AUGUST", "OCTOBER", "DECEMBER"], dayOfMonth: 31 },
  { month: ["APRIL", "JUNE", "SEPTEMBER", "NOVEMBER"], dayOfMonth: 30 },
  { month: "FEBRUARY", dayOfMonth: 29, year: { start: 2024, end: 2096, step: 4 } },
  { month: "FEBRUARY", dayOfMonth: 28, year: [1, 2, 3].map((n) => ({ start: 2024 + n, end: 2099, step: 4 })) }
]

export class TemporalSchedules extends Context.Service<
  TemporalSchedules,
  {
    readonly put: (schedule: ArmedSchedule) => Effect.Effect<void, TemporalFailed>
    /** Gone already is as good as gone. */
    readonly remove: (automationId: number) => Effect.Effect<void, TemporalFailed>
    /** Ids of the automations that have one. */
    readonly list: Effect.Effect<ReadonlySet<number>, TemporalFailed>
  }
>()("millrace/automations/schedules/TemporalSchedules") {
  static readonly layer = Layer.effect(
    TemporalSchedules,
    Effect.map(Temporal, (temporal) =>
      TemporalSchedules.of({
        put: Effect.fnUntraced(function* (schedule) {
          const now = yield* Clock.currentTimeMillis
          const id = scheduleId(schedule.automation_id)
          const options = {
            spec: specOf(schedule, now),
            policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: MINUTE },
            action: {
              type: "startWorkflow" as const,
              workflowType: "automationTick",
              workflowId: `automations/${schedule.automation_id}/tick`,
              taskQueue: temporal.settings.queues.actors,
              args: [schedule.automation_id],
              staticSummary: schedule.name.slice(0, 200),
              typedSearchAttributes: [
                { key: messages.Organization, value: String(schedule.org_id) },
                { key: messages.App, value: String(schedule.app_id) },
                { key: messages.Automation, value: String(schedule.automation_id) }
              ]
            }
          }
          yield* temporal.call(async (client) => {
            try {
              await client.schedule.create({ scheduleId: id, ...options })
            } catch (error) {
              if (!(error instanceof ScheduleAlreadyRunning)) throw error
              await client.schedule.getHandle(id).update((old) => ({ ...options, state: old.state }))
            }
          })
        }),
        remove: (automationId) =>
          temporal
            .call((client) => client.schedule.getHandle(scheduleId(automationId)).delete())
            .pipe(
              Effect.catchIf(
                (error) => error.cause instanceof ScheduleNotFoundError,
                () => Effect.void
              )
            ),
        list: temporal.call(async (client) => {
          const found = new Set<number>()
          for await (const { scheduleId: id } of client.schedule.list()) {
            const [, automation] = /^automations\/(\d+)\/schedule$/.exec(id) ?? []
            if (automation !== undefined) found.add(Number(automation))
          }
          return found
        })
      })
    )
  )
}
