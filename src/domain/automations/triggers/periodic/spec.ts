// Trigger `periodic` (developer-api.md 7.5): a schedule in the trigger's zone. scheduleChecks.ts holds the semantic checks.
import { Schema } from "effect"
import { list, token } from "../../../../platform/bounds/sized.ts"
import { TimeOfDay, weekDays } from "../../schema/clockTimes.ts"
import { unset, withDefault } from "../../schema/combinators.ts"
import { DateIn, DateTimeIn, trigger } from "../spec.ts"
import { checkActivation, checkSchedule } from "./scheduleChecks.ts"

/** Most dates: the days of a year. */
const SKIPPED_AT_MOST = 366

const MonthWeekday = Schema.Struct({
  nth: Schema.Literals([1, 2, 3, 4, 5, -1]).annotate({
    description: "Which one of the month; -1 is the last. A month without a fifth is left out"
  }),
  week_day: Schema.Literals(weekDays)
}).annotate({ identifier: "MonthWeekday" })

export const periodic = trigger({
  type: "periodic",
  label: "Schedule",
  description: "Fires at an interval, daily, weekly, monthly or by a cron expression",
  context: "none",
  firedBy: [],
  outputs: ["periodic_execution_datetime", "periodic_next_execution_datetime"],
  config: {
    schedule_type: Schema.Literals(["interval", "daily", "weekly", "monthly", "cron"]).pipe(withDefault("daily")),
    interval_amount: unset(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
    interval_unit: unset(Schema.Literals(["minute", "hour", "day"])),
    time_of_day: TimeOfDay.pipe(withDefault("00:00")),
    week_days: list(Schema.Literals(weekDays), 100).pipe(withDefault([])),
    month_days: list(MonthDay(), 100).pipe(withDefault([])),
    month_weekdays: unset(
      list(MonthWeekday, 100).annotate({
        description: "Of a monthly schedule, such as its first Monday; beside `month_days`"
      })
    ),
    skip_dates: unset(
      list(DateIn, SKIPPED_AT_MOST).annotate({
        description:
          "Days such as holidays, on the clock of the schedule's zone: what would come due on them is left out"
      })
    ),
    cron_expression: unset(
      token.annotate({
        description:
          "Five fields: minute hour day month weekday, with `L`, `LW`, `W`, `#` and `?`; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`"
      })
    ),
    timezone: unset(token.annotate({ description: "IANA zone; the automation's when left out" })),
    starts_at: unset(DateTimeIn),
    ends_at: unset(DateTimeIn)
  },
  check: checkSchedule,
  checkActivation
})

function MonthDay() {
  return Schema.Int.check(
    Schema.isBetween({ minimum: -1, maximum: 31 }),
    Schema.makeFilter((day: number) => day !== 0 || "Expected 1 to 31, or -1 for the last day")
  )
}
