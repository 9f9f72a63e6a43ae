// When schedules fire (developer-api.md 7.5 rule 2): clock changes, month ends, leap days, bounds. Pure, over whole years.
import { assert, describe, it } from "@effect/vitest"
import {
  latestInstant,
  nextInstant,
  type Schedule
} from "../../../../src/domain/automations/triggers/periodic/instants.ts"
import type { ScheduleConfig } from "../../../../src/domain/automations/triggers/periodic/ScheduleConfig.ts"
import { clockChanges, gaps as jumpsForward, toInstant } from "../../../../src/platform/primitives/zones.ts"
import { cpuMillis } from "../../../support/turns.ts"

const millisAt = (text: string) => Date.parse(text)
const iso = (millis: number | null) => (millis === null ? null : `${new Date(millis).toISOString().slice(0, 19)}Z`)
const DAY = 86_400_000

const schedule = (config: Partial<ScheduleConfig>, zone = "UTC", armedOn = millisAt("2026-01-01T00:00:00Z")) =>
  ({
    config: { schedule_type: "daily", time_of_day: "00:00", week_days: [], month_days: [], ...config },
    zone: config.timezone ?? zone,
    armedOn
  }) satisfies Schedule

const allInstants = (of: Schedule, from: string, to: string) => {
  const foundInstants: Array<number> = []
  for (let lastInstant: number | null = millisAt(from); ; ) {
    lastInstant = nextInstant(of, lastInstant)
    if (lastInstant === null || lastInstant >= millisAt(to)) return foundInstants
    foundInstants.push(lastInstant)
  }
}
const instantTexts = (of: Schedule, from: string, to: string) => allInstants(of, from, to).map(iso)

/** An independent look at the wall: the locale formatter of the platform. */
const wall = (millis: number, timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(millis)

describe("periodic: calendar schedules over clock changes (7.5 rule 2)", () => {
  it("a missing local time fires at the next valid instant: Vienna, New York, Lord Howe", () => {
    assert.deepStrictEqual(
      instantTexts(schedule({ time_of_day: "02:30" }, "Europe/Vienna"), "2026-03-28T00:00Z", "2026-03-31T00:00Z"),
      ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]
    )
    assert.deepStrictEqual(
      instantTexts(schedule({ time_of_day: "02:30" }, "America/New_York"), "2026-03-07T00:00Z", "2026-03-10T00:00Z"),
      ["2026-03-07T07:30:00Z", "2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"]
    )
    assert.deepStrictEqual(
      instantTexts(schedule({ time_of_day: "02:15" }, "Australia/Lord_Howe"), "2026-10-02T12:00Z", "2026-10-05T12:00Z"),
      ["2026-10-02T15:45:00Z", "2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"]
    )
  })

  it("a doubled local time fires once, the first time: Vienna, New York, Lord Howe", () => {
    assert.deepStrictEqual(
      instantTexts(schedule({ time_of_day: "02:30" }, "Europe/Vienna"), "2026-10-24T12:00Z", "2026-10-26T12:00Z"),
      ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]
    )
    assert.deepStrictEqual(
      instantTexts(schedule({ time_of_day: "01:30" }, "America/New_York"), "2026-10-31T12:00Z", "2026-11-02T12:00Z"),
      ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]
    )
    assert.deepStrictEqual(
      instantTexts(schedule({ time_of_day: "01:45" }, "Australia/Lord_Howe"), "2026-04-03T16:00Z", "2026-04-05T16:00Z"),
      ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"]
    )
  })

  it("a cron expression of named times keeps to the wall as well: several missing times are one instant, doubled ones fire once", () => {
    const quarters = schedule({ schedule_type: "cron", cron_expression: "0,15,30,45 2 * * *" }, "Europe/Vienna")
    assert.deepStrictEqual(instantTexts(quarters, "2026-03-29T00:00Z", "2026-03-30T00:00Z"), ["2026-03-29T01:00:00Z"])
    assert.strictEqual(allInstants(quarters, "2026-10-25T00:00Z", "2026-10-25T12:00Z").length, 3)
    assert.strictEqual(allInstants(quarters, "2026-10-24T23:59Z", "2026-10-25T12:00Z").length, 4)
  })

  it("one whose hour or minute is open or a step counts the time that passes", () => {
    const cron = (cron_expression: string, zone: string) => schedule({ schedule_type: "cron", cron_expression }, zone)
    const hourly = cron("0 * * * *", "Europe/Vienna")
    assert.deepStrictEqual(instantTexts(hourly, "2027-10-30T23:00Z", "2027-10-31T03:00Z"), [
      "2027-10-31T00:00:00Z",
      "2027-10-31T01:00:00Z",
      "2027-10-31T02:00:00Z"
    ])
    for (const [expression, minutes] of [
      ["0 * * * *", 60],
      ["@hourly", 60],
      ["*/30 * * * *", 30],
      ["15,45 * * * *", 30],
      ["7-59/10 * * * *", 10],
      ["*/5 0-23 * * *", 5]
    ] as const) {
      // The shift of Lord Howe is half an hour.
      for (const zone of ["Europe/Vienna", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe"]) {
        if (zone === "Australia/Lord_Howe" && minutes === 60) continue
        const changes = clockChanges(millisAt("2027-01-01T00:00Z"), millisAt("2028-01-01T00:00Z"), zone)
        for (const change of changes) {
          const [from, to] = [change.at - DAY, change.at + DAY].map((instant) => new Date(instant).toISOString())
          const due = allInstants(cron(expression, zone), from!, to!)
          const gaps = new Set(due.slice(1).map((instant, n) => (instant - due[n]!) / 60_000))
          assert.deepStrictEqual([...gaps], [minutes], `${expression} in ${zone}`)
        }
      }
    }
    const quarters = cron("*/15 2 * * *", "Europe/Vienna")
    assert.deepStrictEqual(instantTexts(quarters, "2026-03-29T00:00Z", "2026-03-30T00:00Z"), [])
    assert.strictEqual(allInstants(quarters, "2026-10-24T23:59Z", "2026-10-25T12:00Z").length, 8)
  })

  const zones = ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]
  it.each(zones)("%s, a whole year: every day has its instant, on the wall's time or right after a gap", (zone) => {
    for (const time of ["00:00", "01:30", "01:45", "02:00", "02:15", "02:30", "23:59"]) {
      const fired = allInstants(schedule({ time_of_day: time }, zone), "2025-12-31T12:00Z", "2026-12-31T12:00Z")
      assert.strictEqual(fired.length, 365)
      const jumps = jumpsForward(millisAt("2025-12-01T00:00Z"), millisAt("2027-01-31T00:00Z"), zone)
      assert.strictEqual(new Set(fired.map((instant) => wall(instant, zone).slice(0, 10))).size, 365)
      for (const instant of fired) {
        assert.isTrue(wall(instant, zone).endsWith(time) || jumps.includes(instant), `${iso(instant)} at ${time}`)
      }
    }
  })

  it.each(zones)("%s: the latest instant up to any moment is the last one walked to, ninety days and more", (zone) => {
    const kinds: ReadonlyArray<Partial<ScheduleConfig>> = [
      { time_of_day: "02:30" },
      { schedule_type: "weekly", week_days: ["sunday", "wednesday"], time_of_day: "01:45" },
      { schedule_type: "monthly", month_days: [1, 29, 31, -1], time_of_day: "02:15" },
      { schedule_type: "cron", cron_expression: "*/20 1-3 * * *" },
      { schedule_type: "interval", interval_amount: 7, interval_unit: "hour" },
      { schedule_type: "interval", interval_amount: 3, interval_unit: "day" }
    ]
    for (const config of kinds) {
      const configSchedule = schedule(config, zone, millisAt("2025-12-01T01:45:00Z"))
      for (const [from, to] of [
        ["2026-02-25T00:00Z", "2026-06-01T00:00Z"],
        ["2026-09-15T00:00Z", "2026-12-15T00:00Z"]
      ] as const) {
        const fired = allInstants(configSchedule, from, to)
        assert.isTrue(fired.every((instant, n) => n === 0 || instant > fired[n - 1]!))
        for (let moment = millisAt(from) + 35 * DAY; moment < millisAt(to); moment += 17 * 60_000) {
          const expected = fired.findLast((instant) => instant <= moment)!
          assert.strictEqual(
            latestInstant(configSchedule, millisAt(from), moment),
            expected,
            `${JSON.stringify(config)} at ${iso(moment)}`
          )
          moment += moment % 5 === 0 ? DAY / 3 : 0
        }
      }
    }
  })
})

describe("periodic: days of week and month (7.5 rule 2)", () => {
  it("29 to 31 are skipped in shorter months, -1 is the last day, one instant where both fall together", () => {
    const monthlySchedule = schedule({ schedule_type: "monthly", month_days: [31], time_of_day: "08:00" })
    assert.deepStrictEqual(instantTexts(monthlySchedule, "2026-01-01T00:00Z", "2026-06-01T00:00Z"), [
      "2026-01-31T08:00:00Z",
      "2026-03-31T08:00:00Z",
      "2026-05-31T08:00:00Z"
    ])
    const lastDays = schedule({ schedule_type: "monthly", month_days: [-1, 28] })
    assert.deepStrictEqual(instantTexts(lastDays, "2026-02-01T00:00Z", "2026-04-01T00:00Z"), [
      "2026-02-28T00:00:00Z",
      "2026-03-28T00:00:00Z",
      "2026-03-31T00:00:00Z"
    ])
  })

  it("leap days: the 29th of February comes in 2028, the last day with it", () => {
    const leapDays = schedule({ schedule_type: "monthly", month_days: [29] })
    assert.deepStrictEqual(instantTexts(leapDays, "2027-01-30T00:00Z", "2027-03-30T00:00Z"), ["2027-03-29T00:00:00Z"])
    assert.deepStrictEqual(instantTexts(leapDays, "2028-01-30T00:00Z", "2028-03-01T00:00Z"), ["2028-02-29T00:00:00Z"])
    const cron = schedule({ schedule_type: "cron", cron_expression: "0 6 29 2 *" })
    assert.strictEqual(iso(nextInstant(cron, millisAt("2026-01-01T00:00Z"))), "2028-02-29T06:00:00Z")
    assert.strictEqual(latestInstant(cron, millisAt("2026-01-01T00:00Z"), millisAt("2027-01-01T00:00Z")), null)
    const never = schedule({ schedule_type: "cron", cron_expression: "0 6 30 2 *" })
    assert.strictEqual(nextInstant(never, millisAt("2026-01-01T00:00Z")), null)
  })

  it("weekly fires on its days in the zone", () => {
    const weeklySchedule = schedule(
      { schedule_type: "weekly", week_days: ["monday"], time_of_day: "07:00" },
      "Asia/Kathmandu",
      millisAt("2026-01-01T00:00Z")
    )
    assert.deepStrictEqual(instantTexts(weeklySchedule, "2026-11-16T01:15Z", "2026-12-01T00:00Z"), [
      "2026-11-23T01:15:00Z",
      "2026-11-30T01:15:00Z"
    ])
  })
})

describe("periodic: intervals and bounds (7.5)", () => {
  it("an interval counts from the activation, or from starts_at and then with it", () => {
    const fromActivation = schedule(
      { schedule_type: "interval", interval_amount: 90, interval_unit: "minute" },
      "UTC",
      millisAt("2026-05-01T10:00:00.700Z")
    )
    assert.strictEqual(iso(nextInstant(fromActivation, millisAt("2026-05-01T10:00:00.700Z"))), "2026-05-01T11:30:00Z")
    const fromStart = schedule({
      schedule_type: "interval",
      interval_amount: 2,
      interval_unit: "hour",
      starts_at: "2026-05-03 09:00"
    })
    assert.deepStrictEqual(instantTexts(fromStart, "2026-05-01T00:00Z", "2026-05-03T14:00Z"), [
      "2026-05-03T09:00:00Z",
      "2026-05-03T11:00:00Z",
      "2026-05-03T13:00:00Z"
    ])
  })

  it("an interval of days that starts in a doubled hour starts then", () => {
    assert.deepStrictEqual(
      instantTexts(
        schedule(
          { schedule_type: "interval", interval_amount: 2, interval_unit: "day", starts_at: "2026-10-25 01:30" },
          "Europe/Vienna"
        ),
        "2026-10-24T00:00Z",
        "2026-10-28T00:00Z"
      ),
      ["2026-10-25T01:30:00Z", "2026-10-27T01:30:00Z"]
    )
  })

  it("days of an interval are those of the calendar: the time of day stays over a clock change", () => {
    const everyTwoDays = schedule(
      { schedule_type: "interval", interval_amount: 2, interval_unit: "day", starts_at: "2026-03-27 07:00" },
      "Europe/Vienna"
    )
    assert.deepStrictEqual(instantTexts(everyTwoDays, "2026-03-26T00:00Z", "2026-04-01T00:00Z"), [
      "2026-03-27T07:00:00Z",
      "2026-03-29T06:00:00Z",
      "2026-03-31T06:00:00Z"
    ])
  })

  it("starts_at and ends_at are included, nothing fires outside of them", () => {
    const bounded = schedule({ time_of_day: "08:00", starts_at: "2026-05-03 08:00", ends_at: "2026-05-05 08:00" })
    assert.deepStrictEqual(instantTexts(bounded, "2026-01-01T00:00Z", "2027-01-01T00:00Z"), [
      "2026-05-03T08:00:00Z",
      "2026-05-04T08:00:00Z",
      "2026-05-05T08:00:00Z"
    ])
    assert.strictEqual(iso(latestInstant(bounded, 0, millisAt("2027-01-01T00:00Z"))), "2026-05-05T08:00:00Z")
    assert.strictEqual(latestInstant(bounded, millisAt("2026-05-05T08:00:00Z"), millisAt("2027-01-01T00:00Z")), null)
    assert.strictEqual(latestInstant(bounded, 0, millisAt("2026-05-02T09:00Z")), null)
  })

  it("the trigger's zone wins over the automation's", () => {
    const zonedSchedule = schedule({ time_of_day: "08:00", timezone: "Asia/Kathmandu" }, "Europe/Vienna")
    assert.strictEqual(iso(nextInstant(zonedSchedule, millisAt("2026-05-01T00:00Z"))), "2026-05-01T02:15:00Z")
  })

  it("after a downtime of months only the latest missed instant is asked for", () => {
    const everyFive = schedule({ schedule_type: "cron", cron_expression: "*/5 * * * *" }, "Europe/Vienna")
    const findLatest = () => latestInstant(everyFive, millisAt("2026-01-01T00:00Z"), millisAt("2026-10-24T23:47Z"))
    assert.strictEqual(iso(findLatest()), "2026-10-24T23:45:00Z")
    // Inside of the doubled hour: the wall's times have all been, where they are named.
    const cron_expression = "0,5,10,15,20,25,30,35,40,45,50,55 0-23 * * *"
    const named = schedule({ schedule_type: "cron", cron_expression }, "Europe/Vienna")
    const doubled = () => latestInstant(named, 0, millisAt("2026-10-25T01:30Z"))
    assert.strictEqual(iso(doubled()), "2026-10-25T00:55:00Z")
    assert.isBelow(cpuMillis(findLatest) + cpuMillis(doubled), 1_000)
  })

  it("a day that a zone leaves out altogether fires at its end (Apia, 30 December 2011)", () => {
    assert.strictEqual(iso(toInstant(millisAt("2011-12-30T12:00Z"), "Pacific/Apia", "next")), "2011-12-30T10:00:00Z")
  })
})
