// Schedule part of a periodic trigger's config (developer-api.md 7.5).
/** Weekday of a month by its count, for example the second Tuesday; -1 counts from the end. */
interface MonthWeekday {
  readonly nth: number
  readonly week_day: string
}

export interface ScheduleConfig {
  readonly schedule_type: "interval" | "daily" | "weekly" | "monthly" | "cron"
  readonly interval_amount?: number
  readonly interval_unit?: "minute" | "hour" | "day"
  readonly time_of_day: string
  readonly week_days: ReadonlyArray<string>
  readonly month_days: ReadonlyArray<number>
  readonly month_weekdays?: ReadonlyArray<MonthWeekday>
  /** Days `YYYY-MM-DD` of the schedule's zone on which it does not come due. */
  readonly skip_dates?: ReadonlyArray<string>
  readonly cron_expression?: string
  readonly timezone?: string
  readonly starts_at?: string
  readonly ends_at?: string
}
