// The instants of schedules and dates over clock changes, month ends, leap days and downtimes (developer-api.md 7.5 rules 1 and 2).
import { assert, describe, it } from "@effect/vitest"
import { dateInstant } from "../../../../src/domain/automations/triggers/date_field_arrived/dateInstant.ts"
import {
  latestInstant,
  nextInstant,
  type Schedule
} from "../../../../src/domain/automations/triggers/periodic/instants.ts"
import { gaps } from "../../../../src/ground/primitives/zones.ts"

const utc = (text: string) => Date.parse(`${text.replace(" ", "T")}Z`)
const show = (instant: number | null) =>
  instant === null ? null : new Date(instant).toISOString().slice(0, 16).replace("T", " ")
const schedule = (config: object, zone: string, armedOn = "2025-01-01 00:00:00"): Schedule => ({
  config: {
    schedule_type: "daily",
    time_of_day: "00:00",
    week_days: [],
    month_days: [],
    ...config
  } as Schedule["config"],
  zone,
  armedOn: utc(armedOn)
})
const times = (one: Schedule, from: string, n: number) => {
  const foundTimes: Array<string | null> = []
  let instant: number | null = utc(from)
  for (let i = 0; i < n && instant !== null; i++) {
    instant = nextInstant(one, instant)
    foundTimes.push(show(instant))
  }
  return foundTimes
}

describe("schedules (7.5 rule 2)", () => {
  it("a missing local time fires at the next valid instant", () => {
    // Vienna 2026-03-29: 02:00 to 03:00; New York 2026-03-08; Lord Howe 2026-10-04: 02:00 to 02:30.
    assert.deepStrictEqual(times(schedule({ time_of_day: "02:30" }, "Europe/Vienna"), "2026-03-28 00:00:00", 3), [
      "2026-03-28 01:30",
      "2026-03-29 01:00",
      "2026-03-30 00:30"
    ])
    assert.deepStrictEqual(times(schedule({ time_of_day: "02:30" }, "America/New_York"), "2026-03-08 00:00:00", 2), [
      "2026-03-08 07:00",
      "2026-03-09 06:30"
    ])
    assert.deepStrictEqual(times(schedule({ time_of_day: "02:15" }, "Australia/Lord_Howe"), "2026-10-03 00:00:00", 2), [
      "2026-10-03 15:30",
      "2026-10-04 15:15"
    ])
  })

  it("a doubled local time fires once; a cron expression whose hour or minute is open or a step keeps its interval", () => {
    assert.deepStrictEqual(times(schedule({ time_of_day: "02:30" }, "Europe/Vienna"), "2026-10-24 12:00:00", 2), [
      "2026-10-25 00:30",
      "2026-10-26 01:30"
    ])
    const hourly = schedule({ schedule_type: "cron", cron_expression: "30 * * * *" }, "Europe/Vienna")
    // 02:30 occurs at 00:30 and 01:30 UTC.
    assert.deepStrictEqual(times(hourly, "2026-10-24 23:00:00", 4), [
      "2026-10-24 23:30",
      "2026-10-25 00:30",
      "2026-10-25 01:30",
      "2026-10-25 02:30"
    ])
    assert.deepStrictEqual(times(schedule({ time_of_day: "01:45" }, "Australia/Lord_Howe"), "2026-04-04 00:00:00", 2), [
      "2026-04-04 14:45",
      "2026-04-05 15:15"
    ])
  })

  it("a zone without clock changes and with odd minutes keeps its time", () => {
    assert.deepStrictEqual(times(schedule({ time_of_day: "06:00" }, "Asia/Kathmandu"), "2026-03-28 12:00:00", 2), [
      "2026-03-29 00:15",
      "2026-03-30 00:15"
    ])
    assert.deepStrictEqual(gaps(utc("2026-01-01 00:00:00"), utc("2027-01-01 00:00:00"), "Asia/Kathmandu"), [])
    assert.deepStrictEqual(gaps(utc("2026-01-01 00:00:00"), utc("2027-01-01 00:00:00"), "Europe/Vienna").map(show), [
      "2026-03-29 01:00"
    ])
  })

  it("month days 29 to 31 are skipped in shorter months, -1 is the last day", () => {
    const monthly = (month_days: ReadonlyArray<number>) => schedule({ schedule_type: "monthly", month_days }, "UTC")
    assert.deepStrictEqual(times(monthly([31]), "2026-01-01 00:00:00", 3), [
      "2026-01-31 00:00",
      "2026-03-31 00:00",
      "2026-05-31 00:00"
    ])
    assert.deepStrictEqual(times(monthly([-1]), "2028-01-31 12:00:00", 2), ["2028-02-29 00:00", "2028-03-31 00:00"])
    assert.deepStrictEqual(
      times(schedule({ schedule_type: "weekly", week_days: ["monday"] }, "UTC"), "2026-11-21 00:00:00", 1),
      ["2026-11-23 00:00"]
    )
    assert.deepStrictEqual(
      times(schedule({ schedule_type: "cron", cron_expression: "0 0 29 2 *" }, "UTC"), "2026-01-01 00:00:00", 2),
      ["2028-02-29 00:00", "2032-02-29 00:00"]
    )
  })

  it("intervals count from starts_at, else from the activation; ends_at ends them", () => {
    const every = (more: object) =>
      schedule(
        { schedule_type: "interval", interval_amount: 6, interval_unit: "hour", ...more },
        "UTC",
        "2026-01-01 01:00:00"
      )
    assert.deepStrictEqual(times(every({}), "2026-01-01 01:00:00", 2), ["2026-01-01 07:00", "2026-01-01 13:00"])
    assert.deepStrictEqual(times(every({ starts_at: "2026-02-01 00:30" }), "2026-01-01 01:00:00", 2), [
      "2026-02-01 00:30",
      "2026-02-01 06:30"
    ])
    assert.deepStrictEqual(times(every({ ends_at: "2026-01-01 08:00" }), "2026-01-01 01:00:00", 2), [
      "2026-01-01 07:00",
      null
    ])
    const days = schedule(
      { schedule_type: "interval", interval_amount: 1, interval_unit: "day" },
      "Europe/Vienna",
      "2026-03-28 08:00:00"
    )
    assert.deepStrictEqual(times(days, "2026-03-28 08:00:00", 2), ["2026-03-29 07:00", "2026-03-30 07:00"])
  })

  it("after a downtime only the latest missed instant is due", () => {
    const daily = schedule({ time_of_day: "06:00" }, "UTC")
    assert.strictEqual(
      show(latestInstant(daily, utc("2026-01-01 06:00:00"), utc("2026-02-10 05:59:00"))),
      "2026-02-09 06:00"
    )
    assert.strictEqual(latestInstant(daily, utc("2026-02-09 06:00:00"), utc("2026-02-10 05:59:00")), null)
    const rare = schedule({ schedule_type: "cron", cron_expression: "0 0 29 2 *" }, "UTC")
    assert.strictEqual(
      show(latestInstant(rare, utc("2025-01-01 00:00:00"), utc("2031-01-01 00:00:00"))),
      "2028-02-29 00:00"
    )
  })
})

describe("dates (7.5)", () => {
  const config = (more: object) =>
    ({
      date_part: "start",
      offset_direction: "at",
      offset_amount: 0,
      offset_unit: "day",
      time_of_day: "00:00",
      ...more
    }) as never
  it("a value without time uses time_of_day in the automation's zone, one with time is exact", () => {
    assert.strictEqual(
      show(dateInstant(config({ time_of_day: "09:00" }), { start: "2026-07-01" }, "Europe/Vienna")),
      "2026-07-01 07:00"
    )
    assert.strictEqual(
      show(dateInstant(config({ time_of_day: "09:00" }), { start: "2026-07-01 12:34:00" }, "Europe/Vienna")),
      "2026-07-01 12:34"
    )
    assert.strictEqual(dateInstant(config({ date_part: "end" }), { start: "2026-07-01" }, "UTC"), null)
  })
  it("offsets go before and after, months clamp to the month's end", () => {
    const monthBefore = config({ offset_direction: "before", offset_amount: 1, offset_unit: "month" })
    assert.strictEqual(show(dateInstant(monthBefore, { start: "2028-03-31" }, "UTC")), "2028-02-29 00:00")
    const minutesAfter = config({ offset_direction: "after", offset_amount: 90, offset_unit: "minute" })
    assert.strictEqual(show(dateInstant(minutesAfter, { start: "2026-01-01 23:00:00" }, "UTC")), "2026-01-02 00:30")
    const days = config({ offset_direction: "before", offset_amount: 2, offset_unit: "day", time_of_day: "02:30" })
    // Two days before lands on the morning whose 02:30 is missing.
    assert.strictEqual(show(dateInstant(days, { start: "2026-03-31" }, "Europe/Vienna")), "2026-03-29 01:00")
  })
})
