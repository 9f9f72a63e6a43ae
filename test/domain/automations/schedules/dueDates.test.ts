// When a date field's value arrives (developer-api.md 7.5): zones, clock changes, offsets, month ends, leap days. Pure.
import { assert, describe, it } from "@effect/vitest"
import type { TriggerConfig } from "../../../../src/domain/automations/model/Definition.ts"
import { dateInstant } from "../../../../src/domain/automations/triggers/date_field_arrived/dateInstant.ts"

type Config = TriggerConfig<"date_field_arrived">

const due = (start: string, config: Partial<Config> = {}, zone = "Europe/Vienna", end?: string) => {
  const instant = dateInstant(
    {
      date_field_id: 1,
      date_part: "start",
      offset_direction: "at",
      offset_amount: 0,
      offset_unit: "day",
      time_of_day: "00:00",
      ...config
    },
    { start, ...(end === undefined ? {} : { end }) },
    zone
  )
  return instant === null ? null : `${new Date(instant).toISOString().slice(0, 19)}Z`
}

describe("date_field_arrived: the instant (7.5)", () => {
  it("a value without a time uses time_of_day in the automation's zone", () => {
    assert.strictEqual(due("2026-01-15"), "2026-01-14T23:00:00Z")
    assert.strictEqual(due("2026-07-15", { time_of_day: "09:30" }), "2026-07-15T07:30:00Z")
    assert.strictEqual(due("2026-07-15", { time_of_day: "09:30" }, "Asia/Kathmandu"), "2026-07-15T03:45:00Z")
    assert.strictEqual(due("2026-07-15", {}, "UTC"), "2026-07-15T00:00:00Z")
  })

  it("a value with a time is exact, whatever time_of_day and zone say", () => {
    for (const zone of ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]) {
      assert.strictEqual(due("2026-10-25 01:30:00", { time_of_day: "09:30" }, zone), "2026-10-25T01:30:00Z")
    }
  })

  it("a time of day that a clock change leaves out is the next valid instant, a doubled one the first", () => {
    assert.strictEqual(due("2026-03-29", { time_of_day: "02:30" }), "2026-03-29T01:00:00Z")
    assert.strictEqual(due("2026-10-25", { time_of_day: "02:30" }), "2026-10-25T00:30:00Z")
    assert.strictEqual(due("2026-03-08", { time_of_day: "02:30" }, "America/New_York"), "2026-03-08T07:00:00Z")
    assert.strictEqual(due("2026-11-01", { time_of_day: "01:30" }, "America/New_York"), "2026-11-01T05:30:00Z")
    assert.strictEqual(due("2026-10-04", { time_of_day: "02:15" }, "Australia/Lord_Howe"), "2026-10-03T15:30:00Z")
    assert.strictEqual(due("2026-04-05", { time_of_day: "01:45" }, "Australia/Lord_Howe"), "2026-04-04T14:45:00Z")
  })

  it("before and after move it by minutes, hours, days and weeks", () => {
    const dueWith = (config: Partial<Config>) => due("2026-06-10", { time_of_day: "08:00", ...config })
    assert.strictEqual(
      dueWith({ offset_direction: "before", offset_amount: 90, offset_unit: "minute" }),
      "2026-06-10T04:30:00Z"
    )
    assert.strictEqual(
      dueWith({ offset_direction: "after", offset_amount: 3, offset_unit: "hour" }),
      "2026-06-10T09:00:00Z"
    )
    assert.strictEqual(
      dueWith({ offset_direction: "before", offset_amount: 2, offset_unit: "day" }),
      "2026-06-08T06:00:00Z"
    )
    assert.strictEqual(
      dueWith({ offset_direction: "after", offset_amount: 2, offset_unit: "week" }),
      "2026-06-24T06:00:00Z"
    )
    assert.strictEqual(dueWith({ offset_direction: "at", offset_amount: 5 }), "2026-06-10T06:00:00Z")
  })

  it("days are those of the calendar: the local time stays over a clock change, hours are exact", () => {
    assert.strictEqual(
      due("2026-03-30", { time_of_day: "08:00", offset_direction: "before", offset_amount: 2 }),
      "2026-03-28T07:00:00Z"
    )
    assert.strictEqual(
      due("2026-03-30", { time_of_day: "08:00", offset_direction: "before", offset_amount: 48, offset_unit: "hour" }),
      "2026-03-28T06:00:00Z"
    )
    assert.strictEqual(
      due("2026-10-24 10:00:00", { offset_direction: "after", offset_amount: 1 }),
      "2026-10-25T11:00:00Z"
    )
    assert.strictEqual(due("2026-01-01", { offset_direction: "after", offset_amount: 90 }), "2026-03-31T22:00:00Z")
  })

  it("months clamp to the month's end, leap years included", () => {
    const dueMonths = (start: string, offset_amount: number, offset_direction: "before" | "after" = "after") =>
      due(start, { offset_unit: "month", offset_amount, offset_direction }, "UTC")?.slice(0, 10)
    assert.strictEqual(dueMonths("2026-01-31", 1), "2026-02-28")
    assert.strictEqual(dueMonths("2028-01-31", 1), "2028-02-29")
    assert.strictEqual(dueMonths("2026-03-31", 1, "before"), "2026-02-28")
    assert.strictEqual(dueMonths("2028-02-29", 12), "2029-02-28")
    assert.strictEqual(dueMonths("2026-12-15", 2), "2027-02-15")
    assert.strictEqual(dueMonths("2026-08-31", 13), "2027-09-30")
  })

  it("date_part end takes the end of a range; without one nothing arrives", () => {
    assert.strictEqual(due("2026-06-10", { date_part: "end" }, "UTC", "2026-06-12"), "2026-06-12T00:00:00Z")
    assert.strictEqual(due("2026-06-10", { date_part: "end" }, "UTC"), null)
  })

  it("what lies beyond the calendar never arrives", () => {
    const months = { offset_unit: "month", offset_amount: 1_000_000 } as const
    assert.strictEqual(due("9999-12-31", { offset_direction: "after", offset_amount: 2 }, "UTC"), null)
    assert.strictEqual(due("2026-06-10", { ...months, offset_direction: "before" }), null)
    assert.strictEqual(due("2026-06-10", { ...months, offset_direction: "after" }), null)
  })
})
