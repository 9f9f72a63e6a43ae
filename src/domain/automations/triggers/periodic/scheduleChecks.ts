// Checks that a schedule can work (developer-api.md 7.5 rule 2, 7.12): days missing, zone or cron unreadable, ticks too close, or never
// again.
import { parseDateTime } from "../../../../platform/primitives/dates.ts"
import { isZone } from "../../../../platform/primitives/zones.ts"
import type { Finding, ValidationModel } from "../../schema/ValidationModel.ts"
import { type Cron, parseCron } from "./cron.ts"
import { leastSpacing } from "./cronSpacing.ts"
import { nextInstant } from "./instants.ts"
import type { ScheduleConfig } from "./ScheduleConfig.ts"

type Spacing = Pick<ValidationModel, "min_spacing_ms">

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

const invalid = (message: string): Finding => ({ code: "trigger_schedule_invalid", message })

const cronOf = ({ cron_expression = "", schedule_type }: ScheduleConfig): Cron | undefined => {
  const cron = schedule_type === "cron" ? parseCron(cron_expression) : ""
  return typeof cron === "string" ? undefined : cron
}

/** True if the schedule comes due more often than it may. */
export const isTooClose = (config: ScheduleConfig, least: number): boolean => {
  const { interval_amount, interval_unit, schedule_type } = config
  if (schedule_type === "interval") {
    return (
      interval_amount !== undefined && interval_unit !== undefined && interval_amount * unitMs[interval_unit] < least
    )
  }
  const cron = cronOf(config)
  return cron !== undefined && (leastSpacing(cron) ?? least) < least
}

export function* checkSchedule(config: ScheduleConfig, model: Spacing): Iterable<Finding> {
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
      if (config.month_days.length === 0 && (config.month_weekdays ?? []).length === 0) {
        const message = "A monthly schedule needs a day in `month_days` or `month_weekdays`."
        yield { code: "trigger_periodic_month_days_empty", message }
      }
      return
    }
    case "cron":
      yield* checkCron(config, model)
  }
}

function* checkCron(config: ScheduleConfig, model: Spacing): Iterable<Finding> {
  const expression = config.cron_expression?.trim() ?? ""
  if (expression === "") {
    yield invalid("A cron schedule needs `cron_expression`.")
    return
  }
  const cron = parseCron(expression)
  if (typeof cron === "string") {
    yield invalid(`\`cron_expression\` ${JSON.stringify(expression)} ${cron}.`)
    return
  }
  const spacing = leastSpacing(cron)
  if (spacing === null) yield invalid("`cron_expression` never comes due.")
  else if (spacing < model.min_spacing_ms) {
    yield invalid(`The instants of \`cron_expression\` are less than ${model.min_spacing_ms / 60_000} minutes apart.`)
  }
}

/** Returns the reason why a valid schedule never comes due from now on, or undefined: such a schedule is not activated. */
export const neverDue = (
  config: ScheduleConfig,
  { now, timezone }: Pick<ValidationModel, "now" | "timezone">
): string | undefined => {
  const zone = config.timezone ?? timezone
  if (nextInstant({ config, zone, armedOn: now }, now) !== null) return undefined
  const end = config.ends_at === undefined ? undefined : parseDateTime(config.ends_at)?.date.getTime()
  return end !== undefined && end <= now
    ? `\`ends_at\` ${config.ends_at} has passed: the schedule never comes due again.`
    : config.skip_dates === undefined
      ? "Between now, `starts_at` and `ends_at` the schedule never comes due."
      : "Between now, `starts_at` and `ends_at` the schedule never comes due on a day that `skip_dates` leaves."
}

export function* checkActivation(config: ScheduleConfig, model: ValidationModel): Iterable<Finding> {
  const [unusable] = checkSchedule(config, model)
  const message = unusable === undefined ? neverDue(config, model) : undefined
  if (message !== undefined) yield invalid(message)
}

/** True if day of month and day of week are both named, and either makes it due. */
export const dueOnEither = (config: ScheduleConfig): boolean => cronOf(config)?.either === true
