// When a schedule cannot work (developer-api.md 7.5 rule 2, 7.12): days missing, zone or cron unreadable, ticks too close.
import { Cron, Result } from "effect"
import { parseDateTime } from "../../../../ground/primitives/dates.ts"
import { isZone } from "../../../../ground/primitives/zones.ts"
import type { Finding, ValidationModel } from "../../schema/ValidationModel.ts"
import { leastSpacing } from "./cronSpacing.ts"

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

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

const invalid = (message: string): Finding => ({ code: "trigger_schedule_invalid", message })

const cronOf = (expression: string): Cron.Cron | undefined => {
  const cron = expression.split(/\s+/).length === 5 ? Cron.parse(expression, "UTC") : undefined
  return cron === undefined || Result.isFailure(cron) ? undefined : cron.success
}

/** Whether it comes due more often than it may. */
export const isTooClose = (config: ScheduleConfig, least: number): boolean => {
  const { cron_expression = "", interval_amount, interval_unit, schedule_type } = config
  if (schedule_type === "interval") {
    return (
      interval_amount !== undefined && interval_unit !== undefined && interval_amount * unitMs[interval_unit] < least
    )
  }
  const cron = schedule_type === "cron" ? cronOf(cron_expression.trim()) : undefined
  return cron !== undefined && (leastSpacing(cron) ?? least) < least
}

export function* checkSchedule(config: ScheduleConfig, model: ValidationModel): Iterable<Finding> {
  const minutes = model.min_spacing_ms / 60_000
  if (config.timezone !== undefined && !isZone(config.timezone)) {
    yield invalid(`\`timezone\` ${JSON.stringify(config.timezone)} is no IANA time zone.`)
    return
  }
  const [from, to] = [config.starts_at, config.ends_at].map((text) =>
    text === undefined ? undefined : parseDateTime(text)?.date
  )
  if (from != null && to != null && from >= to) {
    yield invalid("`ends_at` is not after `starts_at`.")
  }
  switch (config.schedule_type) {
    case "interval": {
      if (config.interval_amount === undefined || config.interval_unit === undefined) {
        yield invalid("An interval needs `interval_amount` and `interval_unit`.")
      } else if (isTooClose(config, model.min_spacing_ms)) {
        yield invalid(`An interval is at least ${minutes} minutes.`)
      }
      return
    }
    case "weekly": {
      if (config.week_days.length === 0) {
        yield { code: "trigger_periodic_week_days_empty", message: "A weekly schedule needs a day in `week_days`." }
      }
      return
    }
    case "monthly": {
      if (config.month_days.length === 0) {
        yield { code: "trigger_periodic_month_days_empty", message: "A monthly schedule needs a day in `month_days`." }
      }
      return
    }
    case "cron":
      yield* checkCron(config, model)
  }
}

function* checkCron(config: ScheduleConfig, model: ValidationModel): Iterable<Finding> {
  const expression = config.cron_expression?.trim() ?? ""
  if (expression === "") {
    yield invalid("A cron schedule needs `cron_expression`.")
    return
  }
  const cron = cronOf(expression)
  if (cron === undefined) {
    yield invalid(`\`cron_expression\` ${JSON.stringify(expression)} is no cron expression of five fields.`)
    return
  }
  const spacing = leastSpacing(cron)
  if (spacing === null) yield invalid("`cron_expression` never comes due.")
  else if (spacing < model.min_spacing_ms) {
    yield invalid(`The instants of \`cron_expression\` are less than ${model.min_spacing_ms / 60_000} minutes apart.`)
  }
}
