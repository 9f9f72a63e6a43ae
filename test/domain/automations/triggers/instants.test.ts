// The instants of schedules and dates over clock changes, month ends, leap days and downtimes (developer-api.md 7.5 rules 1 and 2).
import { assert, describe, it } from "@effect/vitest"
import { dateInstant } from "../../../../src/domain/automations/triggers/date_field_arrived/dateInstant.ts"
import {
  latestInstant,
  nextInstant,
  type Schedule
} from "../../../../src/domain/automations/triggers/periodic/instants.ts"
import { gaps } from "../../../../src/platform/primitives/zones.ts"

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

describe("weekdays of a month, and dates to skip (7.5)", () => {
  const monthly = (...month_weekdays: ReadonlyArray<object>) => ({ schedule_type: "monthly", month_weekdays })

  it("the first, the fifth and the last weekday of a month; a month without a fifth is left out", () => {
    const firstMonday = schedule(monthly({ nth: 1, week_day: "monday" }), "UTC")
    assert.deepStrictEqual(times(firstMonday, "2026-01-01 00:00:00", 3), [
      "2026-01-05 00:00",
      "2026-02-02 00:00",
      "2026-03-02 00:00"
    ])
    const fifth = schedule(monthly({ nth: 5, week_day: "sunday" }), "UTC")
    assert.deepStrictEqual(times(fifth, "2026-01-01 00:00:00", 3), [
      "2026-03-29 00:00",
      "2026-05-31 00:00",
      "2026-08-30 00:00"
    ])
    const lastFriday = schedule(
      { ...monthly({ nth: -1, week_day: "friday" }), time_of_day: "17:00" },
      "America/New_York"
    )
    assert.deepStrictEqual(times(lastFriday, "2026-02-01 00:00:00", 3), [
      "2026-02-27 22:00",
      "2026-03-27 21:00",
      "2026-04-24 21:00"
    ])
  })

  it("beside days of the month either is due, once where both fall together", () => {
    const both = schedule({ ...monthly({ nth: 1, week_day: "monday" }), month_days: [1] }, "UTC")
    assert.deepStrictEqual(times(both, "2026-05-15 00:00:00", 3), [
      "2026-06-01 00:00",
      "2026-07-01 00:00",
      "2026-07-06 00:00"
    ])
  })

  it("a date to skip is a day on the clock of the zone, of every kind of schedule", () => {
    const skip_dates = ["2026-12-25", "2026-12-26"]
    // 08:00 in Auckland is 19:00 UTC of the day before.
    assert.deepStrictEqual(
      times(schedule({ time_of_day: "08:00", skip_dates }, "Pacific/Auckland"), "2026-12-23 12:00:00", 2),
      ["2026-12-23 19:00", "2026-12-26 19:00"]
    )
    const hourly = schedule({ schedule_type: "cron", cron_expression: "0 */6 * * *", skip_dates }, "UTC")
    assert.deepStrictEqual(times(hourly, "2026-12-24 17:00:00", 2), ["2026-12-24 18:00", "2026-12-27 00:00"])
    const each = {
      schedule_type: "interval",
      interval_amount: 90,
      interval_unit: "minute",
      starts_at: "2026-12-24 22:00"
    }
    assert.deepStrictEqual(times(schedule({ ...each, skip_dates }, "UTC"), "2026-12-24 22:00:00", 2), [
      "2026-12-24 23:30",
      "2026-12-27 01:00"
    ])
  })

  it("a day that a clock change makes longer or shorter is skipped as a whole", () => {
    const hourly = { schedule_type: "cron", cron_expression: "30 * * * *" }
    // Vienna: 2026-10-25 has 25 hours, 2026-03-29 has 23.
    const aroundDay = (day: string, zone: string, from: string) =>
      times(schedule({ ...hourly, skip_dates: [day] }, zone), from, 2)
    assert.deepStrictEqual(aroundDay("2026-10-25", "Europe/Vienna", "2026-10-24 21:00:00"), [
      "2026-10-24 21:30",
      "2026-10-25 23:30"
    ])
    assert.deepStrictEqual(aroundDay("2026-03-29", "Europe/Vienna", "2026-03-28 22:00:00"), [
      "2026-03-28 22:30",
      "2026-03-29 22:30"
    ])
    // Havana puts its clock back from 01:00 to 00:00: the day begins twice.
    assert.deepStrictEqual(aroundDay("2026-10-31", "America/Havana", "2026-10-31 03:00:00"), [
      "2026-10-31 03:30",
      "2026-11-01 04:30"
    ])
    // St John's put it back at 00:01 to 23:01 of the day before, which is skipped again.
    assert.deepStrictEqual(aroundDay("2010-11-06", "America/St_Johns", "2010-11-06 01:30:00"), [
      "2010-11-06 02:00",
      "2010-11-07 04:00"
    ])
  })

  it("after a downtime the latest instant is one on no such date, however many there are", () => {
    const skip_dates = Array.from({ length: 60 }, (_, n) =>
      new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString().slice(0, 10)
    )
    const every = schedule(
      {
        schedule_type: "interval",
        interval_amount: 5,
        interval_unit: "minute",
        starts_at: "2025-01-01 00:00",
        skip_dates
      },
      "UTC"
    )
    const latest = (after: string, now: string) => show(latestInstant(every, utc(after), utc(now)))
    assert.strictEqual(latest("2025-02-01 00:00:00", "2026-02-20 12:00:00"), "2025-12-31 23:55")
    assert.strictEqual(latest("2025-12-31 23:55:00", "2026-02-20 12:00:00"), null)
    assert.strictEqual(latest("2025-12-31 23:55:00", "2026-03-02 00:01:00"), "2026-03-02 00:00")
  })

  it("a schedule whose every date is skipped comes due no more", () => {
    const onceADay = {
      starts_at: "2026-05-01 00:00",
      ends_at: "2026-05-02 23:00",
      skip_dates: ["2026-05-01", "2026-05-02"]
    }
    assert.deepStrictEqual(times(schedule(onceADay, "UTC"), "2026-01-01 00:00:00", 1), [null])
  })
})

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
