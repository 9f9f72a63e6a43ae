// Schedule part of a periodic trigger's config (developer-api.md 7.5).
export interface ScheduleConfig {
  readonly schedule_type: "interval" | "daily" | "weekly" | "monthly" | "cron"
  readonly interval_amount?: number
  readonly interval_unit?: "minute" | "hour" | "day"
  readonly time_of_day: string
  readonly week_days: ReadonlyArray<string>
  readonly month_days: ReadonlyArray<number>
  readonly cron_expression?: string
  readonly timezone?: string
  readonly starts_at?: string
  readonly ends_at?: string
}
