// The days of the console's calendar (docs/console.md, "Board, calendar, gallery, form"): weeks, spans over them, records moved by whole days.
import { assert, describe, it } from "@effect/vitest"
import {
  addMonths,
  moveEntries,
  segmentsOf,
  spanOf,
  weekStart,
  weeksOf
} from "../../../../console/src/pages/records/layouts/calendar/days.ts"

const field = (field_id: number, field_type: string) => ({ field_id, field_type }) as any
const [day, period, end] = [field(1, "single_date"), field(2, "range_date"), field(3, "single_date")]
const entry = (date: string, time: string | null = null) => ({
  start_date_utc: date,
  start_time_utc: time,
  start_utc: `${date} ${time ?? "00:00:00"}`
})
const record = (record_id: number, cells: Record<number, ReadonlyArray<unknown>>) =>
  ({
    record_id,
    fields: Object.entries(cells).map(([id, values]) => ({ field_id: Number(id), values }))
  }) as any
const range = (from: string, to: string) => [
  { ...entry(from), end_date_utc: to, end_time_utc: null, end_utc: `${to} 00:00:00` }
]

describe("a calendar", () => {
  it("shows the weeks of a month from Monday, or one week; months follow each other over the year", () => {
    assert.deepStrictEqual(weeksOf("2026-12-15", false), [
      ...["2026-11-30", "2026-12-07", "2026-12-14", "2026-12-21", "2026-12-28"]
    ])
    assert.strictEqual(weeksOf("2026-08-01", false).length, 6)
    assert.strictEqual(weeksOf("2027-02-01", false).length, 4)
    assert.deepStrictEqual(weeksOf("2026-12-20", true), ["2026-12-14"])
    assert.strictEqual(weekStart("2026-12-14"), "2026-12-14")
    assert.deepStrictEqual([addMonths("2026-12-31", 1), addMonths("2026-01-31", -1)], ["2027-01-01", "2025-12-01"])
  })

  it("a record spans its days: of one field, of two, of a range; an end before its start is none", () => {
    const daysOf = (cells: Record<number, ReadonlyArray<unknown>>, start: any, last?: any) => {
      const span = spanOf(record(1, cells), start, last)
      return span && [span.from, span.to]
    }
    assert.deepStrictEqual(daysOf({ 1: [entry("2026-12-01")] }, day), ["2026-12-01", "2026-12-01"])
    assert.deepStrictEqual(daysOf({ 2: range("2026-12-01", "2026-12-04") }, period), ["2026-12-01", "2026-12-04"])
    const two = { 1: [entry("2026-12-01")], 3: [entry("2026-12-09")] }
    assert.deepStrictEqual(daysOf(two, day, end), ["2026-12-01", "2026-12-09"])
    assert.deepStrictEqual(daysOf(two, end, day), ["2026-12-09", "2026-12-09"])
    assert.isUndefined(daysOf({ 1: [] }, day))
  })

  it("a record that is moved keeps its time of day, also over a change of the clocks, and its length", () => {
    const local = (entries: ReadonlyArray<any>) => {
      const date = new Date(`${entries[0].start_utc.replace(" ", "T")}Z`)
      return [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()]
    }
    const formerEntries = [entry("2026-03-20", "06:30:00")]
    const [month, dayOfMonth, hours, minutes] = local(formerEntries) as [number, number, number, number]
    assert.deepStrictEqual(local(moveEntries(formerEntries, 9)), [month, dayOfMonth + 9, hours, minutes])
    assert.deepStrictEqual(moveEntries([entry("2026-12-31")], 1), [entry("2027-01-01")])
    assert.deepStrictEqual(moveEntries(range("2026-12-01", "2026-12-04"), -2), range("2026-11-29", "2026-12-02"))
  })

  it("records of a week lie in lanes that do not meet, the longest of a day first", () => {
    const spans = [
      record(1, { 2: range("2026-12-09", "2026-12-10") }),
      record(2, { 2: range("2026-12-05", "2026-12-08") }),
      record(3, { 2: range("2026-12-08", "2026-12-20") }),
      record(4, { 2: [{ ...entry("2026-12-08"), end_date_utc: null }] }),
      record(5, { 2: range("2026-12-16", "2026-12-18") })
    ].map((one) => spanOf(one, period, undefined)!)
    assert.deepStrictEqual(
      segmentsOf("2026-12-07", spans).map((one) => [
        ...[one.span.record.record_id, one.column, one.length, one.lane, one.isBegin, one.isEnd]
      ]),
      [
        [2, 0, 2, 0, false, true],
        [3, 1, 6, 1, true, false],
        [4, 1, 1, 2, true, true],
        [1, 2, 2, 0, true, true]
      ]
    )
  })
})
