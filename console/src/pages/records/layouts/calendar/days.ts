// Days of a calendar as plain functions: weeks from Monday, spans of records over them, and entries moved by whole days. A day is the same
// everywhere; a moment belongs to the day that it has in the reader's zone, as everywhere in the console.
import type { Field, RecordRow } from "../../../../api/types.ts"
import type { Entries } from "../../writes/CellWrite.ts"
import { cellOf } from "../seenCells.ts"

/** `YYYY-MM-DD`. */
export type Day = string

const MILLIS = 86_400_000
const millisOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)
export const addDays = (day: Day, days: number): Day =>
  new Date(millisOf(day) + days * MILLIS).toISOString().slice(0, 10)
export const daysBetween = (from: Day, to: Day): number => Math.round((millisOf(to) - millisOf(from)) / MILLIS)

const two = (part: number) => String(part).padStart(2, "0")
const localDay = (date: Date): Day => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
export const todayOf = (now: Date): Day => localDay(now)

/** Monday of the day's week. */
export const weekStart = (day: Day): Day => addDays(day, -((new Date(millisOf(day)).getUTCDay() + 6) % 7))

export const addMonths = (day: Day, months: number): Day => {
  const firstDate = new Date(millisOf(`${day.slice(0, 7)}-01`))
  firstDate.setUTCMonth(firstDate.getUTCMonth() + months)
  return firstDate.toISOString().slice(0, 10)
}

/** Mondays of the weeks that a calendar shows. */
export const weeksOf = (day: Day, isWeek: boolean): ReadonlyArray<Day> => {
  if (isWeek) return [weekStart(day)]
  const firstMonday = weekStart(`${day.slice(0, 7)}-01`)
  const lastDay = addDays(addMonths(day, 1), -1)
  return Array.from({ length: Math.floor(daysBetween(firstMonday, lastDay) / 7) + 1 }, (_, week) =>
    addDays(firstMonday, week * 7)
  )
}

interface DateEntry {
  readonly start_date_utc: string
  readonly start_time_utc: string | null
  readonly end_date_utc?: string | null
  readonly end_time_utc?: string | null
}

const momentOf = (date: string, time: string | null | undefined) =>
  time == null ? undefined : new Date(`${date}T${time}Z`)
const dayOf = (date: string, time: string | null | undefined): Day => {
  const moment = momentOf(date, time)
  return moment === undefined ? date : localDay(moment)
}

export interface Span {
  readonly record: RecordRow
  readonly from: Day
  /** Its last day. */
  readonly to: Day
  /** When it begins, if that is known. */
  readonly moment: Date | undefined
}

const firstEntry = (record: RecordRow, field: Field): DateEntry | undefined =>
  (cellOf(record, field)?.values as ReadonlyArray<DateEntry> | undefined)?.[0]

/** Days of a record; undefined without a start. An end before the start is none. */
export const spanOf = (record: RecordRow, start: Field, end: Field | undefined): Span | undefined => {
  const entry = firstEntry(record, start)
  if (entry === undefined) return undefined
  const from = dayOf(entry.start_date_utc, entry.start_time_utc)
  const endEntry = end === undefined ? undefined : firstEntry(record, end)
  const to =
    endEntry !== undefined
      ? dayOf(endEntry.start_date_utc, endEntry.start_time_utc)
      : entry.end_date_utc == null
        ? from
        : dayOf(entry.end_date_utc, entry.end_time_utc)
  return { record, from, to: to < from ? from : to, moment: momentOf(entry.start_date_utc, entry.start_time_utc) }
}

/** A day without a time, where the API names date and time at once. */
const midnight = (day: Day) => `${day} 00:00:00`

const moveMoment = (date: string, time: string | null, days: number) => {
  const moment = momentOf(date, time)
  if (moment === undefined) {
    const day = addDays(date, days)
    return { date: day, time: null, both: midnight(day) }
  }
  // The day moves by the reader's calendar, so that the time of day stays where the clocks change.
  moment.setDate(moment.getDate() + days)
  const [day, clock] = [moment.toISOString().slice(0, 10), moment.toISOString().slice(11, 19)]
  return { date: day, time: clock, both: `${day} ${clock}` }
}

/** Entries of a date field so many days later, at the same time of day. */
export const moveEntries = (entries: Entries, days: number): Entries =>
  (entries as ReadonlyArray<DateEntry>).map((entry) => {
    const start = moveMoment(entry.start_date_utc, entry.start_time_utc, days)
    const moved = { ...entry, start_date_utc: start.date, start_time_utc: start.time, start_utc: start.both }
    if (entry.end_date_utc == null) return moved
    const end = moveMoment(entry.end_date_utc, entry.end_time_utc ?? null, days)
    return { ...moved, end_date_utc: end.date, end_time_utc: end.time, end_utc: end.both }
  })

/** Entries of a day without a time. */
export const entriesOfDay = (day: Day): Entries => [
  {
    start_date_utc: day,
    start_time_utc: null,
    start_utc: midnight(day),
    end_date_utc: null,
    end_time_utc: null,
    end_utc: null
  }
]

/** Part of a span in one week. */
export interface Segment {
  readonly span: Span
  /** Column of its first day in the week, from 0, and how many days it covers. */
  readonly column: number
  readonly length: number
  readonly lane: number
  readonly isBegin: boolean
  readonly isEnd: boolean
}

const orderOf = (a: Span, b: Span) =>
  a.from.localeCompare(b.from) ||
  daysBetween(b.from, b.to) - daysBetween(a.from, a.to) ||
  (a.moment?.getTime() ?? 0) - (b.moment?.getTime() ?? 0) ||
  a.record.record_id - b.record.record_id

/** The parts of a week, each in the first lane that is free over all its days. */
export const segmentsOf = (monday: Day, spans: ReadonlyArray<Span>): ReadonlyArray<Segment> => {
  const sunday = addDays(monday, 6)
  const columnsByLane: Array<Set<number>> = []
  return spans
    .filter(({ from, to }) => from <= sunday && to >= monday)
    .sort(orderOf)
    .map((span) => {
      const column = Math.max(0, daysBetween(monday, span.from))
      const lastColumn = Math.min(6, daysBetween(monday, span.to))
      const columns = Array.from({ length: lastColumn - column + 1 }, (_, index) => column + index)
      const freeLane = columnsByLane.findIndex((lane) => columns.every((one) => !lane.has(one)))
      const laneNumber = freeLane < 0 ? columnsByLane.push(new Set()) - 1 : freeLane
      for (const one of columns) columnsByLane[laneNumber]!.add(one)
      const isBegin = span.from >= monday
      return { span, column, length: columns.length, lane: laneNumber, isBegin, isEnd: span.to <= sunday }
    })
}
