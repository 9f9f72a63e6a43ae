// Dates of records: accepted as developer-api.md 1.3 and 3.2 say, kept as `YYYY-MM-DD[ HH:mm:ss]` in UTC.
import { Effect, Result, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { Cell, DateEntry, Entry } from "../../../../platform/primitives/Cell.ts"
import type { FieldFilter } from "../contract/FieldFilter.ts"
import type { AssignableType, FieldType } from "../contract/FieldType.ts"
import { text } from "../contract/shapes.ts"
import { isTimed, parseMoment, timeProblem } from "../input/moments.ts"
import { closed } from "../input/writeInput.ts"
import { dateTest } from "../matching/dateTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import type { Test } from "../matching/RecordFilter.ts"
import type { Field, Problem } from "../model/Field.ts"
import type { Predicates } from "../sql/predicates.ts"

const flag = Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/** Setting that decides if dates have a time. */
export const TimeSetting = Schema.Literals(["disabled", "enabled", "required"]).annotate({ identifier: "TimeSetting" })
type TimeSetting = typeof TimeSetting.Type

export const dateSettings = {
  time: TimeSetting.pipe(Schema.withDecodingDefaultKey(Effect.succeed("disabled" as const))),
  calendar: flag,
  is_due_date_of_status_field: flag
}

/** A moment that the field's `time` setting allows. */
export const momentOf = (input: unknown, time: TimeSetting): Result.Result<string, Problem> => {
  const moment = typeof input === "string" ? parseMoment(input) : null
  if (moment === null) return Result.fail("must be a date `YYYY-MM-DD` or a datetime `YYYY-MM-DD HH:mm`")
  const problem = timeProblem(moment, time)
  return problem === null ? Result.succeed(moment) : Result.fail(problem)
}

/** `{ start, end? }` as sent, before its moments are parsed. `end` is `undefined` if none was sent. */
export const partsOf = (
  input: unknown,
  keys: ReadonlyArray<string>
): Result.Result<{ readonly start: unknown; readonly end: unknown }, Problem> => {
  if (typeof input === "string") {
    const [start, end, more] = input.split(" - ")
    return more === undefined ? Result.succeed({ start, end }) : Result.fail("must be one date or two")
  }
  return Result.map(closed(input, keys, "a date string or an object"), (value) => ({
    start: value["start"],
    end: value["end"] ?? undefined
  }))
}

const clock = (moment: string) => (isTimed(moment) ? moment.slice(11) : null)
const full = (moment: string) => (isTimed(moment) ? moment : `${moment} 00:00:00`)

const side = (name: "start" | "end", moment: string | undefined) => {
  const start = moment === undefined ? null : full(moment)
  const date = moment === undefined ? null : moment.slice(0, 10)
  const time = moment === undefined ? null : clock(moment)
  return {
    [name]: start,
    [`${name}_date`]: date,
    [`${name}_time`]: time,
    [`${name}_utc`]: start,
    [`${name}_date_utc`]: date,
    [`${name}_time_utc`]: time
  }
}

/** The date entry of 3.2: six keys, twelve for a range. */
export const renderDate = (entry: Entry, range: boolean) => {
  const { start, end } = entry as DateEntry
  return range ? { ...side("start", start), ...side("end", end) } : side("start", start)
}

const sideOf = <N extends "start" | "end", S extends Schema.Top>(name: N, day: S) =>
  ({
    [name]: day,
    [`${name}_date`]: day,
    [`${name}_time`]: text,
    [`${name}_utc`]: day,
    [`${name}_date_utc`]: day,
    [`${name}_time_utc`]: text
  }) as Schema.Struct.Fields
export const DateEntryView = Schema.Struct(sideOf("start", Schema.String)).annotate({ identifier: "DateEntry" })
export const RangeEntryView = Schema.Struct({
  ...sideOf("start", Schema.String),
  ...sideOf("end", text)
}).annotate({ identifier: "DateRangeEntry" })

/** Plain form: `2026-04-01`, `2026-04-01 15:00:00`, a range with ` - `. */
const dateText = (entry: Entry) => {
  const { start, end } = entry as DateEntry
  return end === undefined ? start : `${start} - ${end}`
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const months = "January February March April May June July August September October November December".split(" ")

/** `Tuesday, 1. March 2022`, with ` HH:mm` if timed (4.1). */
const longDate = (moment: string) => {
  const date = new Date(`${moment.slice(0, 10)}T00:00:00Z`)
  const day = `${days[date.getUTCDay()]}, ${date.getUTCDate()}. ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  return isTimed(moment) ? `${day} ${moment.slice(11, 16)}` : day
}
export const dateTitle = (cell: Cell) => {
  const { start, end } = cell[0] as DateEntry
  return end === undefined ? longDate(start) : `${longDate(start)} - ${longDate(end)}`
}

/** @param ends the first and the last moment, as SQL texts */
export const passesDate =
  (ends: (sql: Predicates, field: Field) => readonly [Statement.Fragment, Statement.Fragment]) =>
  (sql: Predicates, field: Field, test: Test): Statement.Fragment => {
    const [start, end] = ends(sql, field)
    return test.is === "calendar"
      ? sql.calendarDay(start, test)
      : test.is === "days"
        ? sql.dayRange(start, end, test)
        : sql.never
  }

/** Shared members of all dates, stored ones and the record's own. */
export const dateKind = {
  kind: "dates",
  channels: ["date"],
  operators: "DATE",
  multiple: false,
  title: dateTitle,
  compared: (cell) => ({ set: "DATE", date: (cell[0] as DateEntry | undefined) ?? null })
} satisfies Partial<FieldType<"dates">>

export const dateFilter = {
  matchTypes: matchTypes.date,
  ofDates: true,
  test: (filter, _, context) => dateTest(filter, context)
} satisfies Partial<FieldFilter>

export const storedDateKind = {
  ...dateKind,
  type: "date",
  assignable: true,
  titleCapable: true,
  text: dateText,
  sortKey: ({ first, sql }, { field_id }) => ({
    expression: sql`(${first(field_id)}->>'start') COLLATE "C"`,
    type: "text"
  })
} satisfies Partial<AssignableType<"dates">>

const startOf = ({ cell, sql }: Predicates, { field_id }: Field) => sql`(${cell(field_id)}->0->>'start')`
const endOf = ({ cell, sql }: Predicates, { field_id }: Field) => sql`(${cell(field_id)}->0->>'end')`

export const singleDays = passesDate((sql, field) => {
  const start = startOf(sql, field)
  return [start, start]
})
export const rangeDays = passesDate((sql, field) => {
  const start = startOf(sql, field)
  return [start, sql.sql`coalesce(${endOf(sql, field)}, ${start})`]
})
