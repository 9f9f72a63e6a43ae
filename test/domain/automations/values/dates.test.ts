// Dates that values give (decisions A9): relative dates, months, clock changes, dates written as text.
import { assert, describe, it } from "@effect/vitest"
import { dateOperand } from "../../../../src/domain/automations/filter/comparisonValues.ts"
import {
  type DateUnit,
  relativeMoment,
  resolvedDate,
  storedMoment,
  todayIn,
  writtenMoment
} from "../../../../src/domain/automations/values/resolveDates.ts"
import { localMoment, startOfDay, wallOf } from "../../../../src/platform/primitives/zones.ts"

const moved = (base: string, amount: number, unit: DateUnit, zone = "UTC") => {
  const moment = relativeMoment(storedMoment(base), amount, unit, zone)
  return moment === null ? null : resolvedDate(moment, zone).text
}

describe("relative dates (A9)", () => {
  it("days, weeks and months; months clamp to the month's end", () => {
    assert.strictEqual(moved("2026-01-31", 1, "month"), "2026-02-28")
    assert.strictEqual(moved("2028-01-31", 1, "month"), "2028-02-29")
    assert.strictEqual(moved("2026-03-31", -1, "month"), "2026-02-28")
    assert.strictEqual(moved("2026-12-31", 14, "month"), "2028-02-29")
    assert.strictEqual(moved("2026-02-27", 2, "day"), "2026-03-01")
    assert.strictEqual(moved("2026-02-27", -1, "week"), "2026-02-20")
    assert.strictEqual(moved("2024-02-29", 12, "month"), "2025-02-28")
  })

  it("days keep the wall time over a clock change, hours count", () => {
    // Vienna turns to summer time on 2026-03-29 at 01:00 UTC.
    assert.strictEqual(moved("2026-03-28 08:30:00", 1, "day", "Europe/Vienna"), "2026-03-29 07:30:00")
    assert.strictEqual(moved("2026-03-28 08:30:00", 24, "hour", "Europe/Vienna"), "2026-03-29 08:30:00")
    // A missing wall time is the one after the gap, a doubled one the first.
    assert.strictEqual(moved("2026-03-28 01:30:00", 1, "day", "Europe/Vienna"), "2026-03-29 01:30:00")
    assert.strictEqual(moved("2026-10-24 00:30:00", 1, "day", "Europe/Vienna"), "2026-10-25 00:30:00")
  })

  it("hours begin at midnight of the zone where the base has no time, at now for `current_date`", () => {
    assert.strictEqual(moved("2026-07-01", 2, "hour", "Europe/Vienna"), "2026-07-01 00:00:00")
    const nowDate = new Date("2026-07-01T22:30:00Z")
    const today = todayIn(nowDate, "Europe/Vienna")
    assert.deepInclude(today, { timed: false, day: "2026-07-02" })
    const later = relativeMoment(today, 1, "hour", "Europe/Vienna")!
    assert.strictEqual(resolvedDate(later, "Europe/Vienna").text, "2026-07-01 23:30:00")
  })

  it("a result beyond the years 100 to 9999 is none", () => {
    assert.isNull(moved("9999-12-31", 1, "day"))
    assert.isNull(moved("2026-01-01", 1e15, "day"))
    assert.isNull(moved("2026-01-01 00:00:00", -1e12, "hour"))
  })
})

describe("dates as text", () => {
  const text = (value: string, zone = "Europe/Vienna") => {
    const moment = writtenMoment(value, zone)
    return moment === null ? null : resolvedDate(moment, zone).text
  }
  it("a time without an offset is of the automation's zone, one with an offset is exact", () => {
    assert.strictEqual(text("2026-07-01"), "2026-07-01")
    assert.strictEqual(text("2026-07-01 09:30"), "2026-07-01 07:30:00")
    assert.strictEqual(text("2026-07-01T09:30:00Z"), "2026-07-01 09:30:00")
    assert.strictEqual(text("2026-07-01 09:30:00 -0400"), "2026-07-01 13:30:00")
    assert.isNull(text("tomorrow"))
    assert.isNull(text("2026-02-30"))
  })
})

describe("days of a zone", () => {
  it("bounds of a day follow the zone's clock changes", () => {
    const operand = (day: string, zone: string) =>
      dateOperand({ at: new Date(startOfDay(day, zone)), timed: false, text: day }, "day", zone)
    assert.deepStrictEqual(operand("2026-03-29", "Europe/Vienna"), {
      day: "2026-03-29",
      from: "2026-03-28 23:00:00",
      to: "2026-03-29 22:00:00"
    })
    // Lord Howe changes by half an hour, Kathmandu is 5:45 ahead.
    assert.deepInclude(operand("2026-04-05", "Australia/Lord_Howe"), {
      from: "2026-04-04 13:00:00",
      to: "2026-04-05 13:30:00"
    })
    assert.deepInclude(operand("2026-04-05", "Asia/Kathmandu"), { from: "2026-04-04 18:15:00" })
  })

  it("a moment shows the zone's wall time; a day without time is the same everywhere", () => {
    assert.strictEqual(localMoment("2026-07-01 22:30:00", "Europe/Vienna"), "2026-07-02 00:30:00")
    assert.strictEqual(localMoment("2026-07-01", "Pacific/Kiritimati"), "2026-07-01")
    assert.deepStrictEqual(wallOf(0, "UTC"), { day: "1970-01-01", time: "00:00:00" })
  })
})
