// Groups by days, months and years (developer-api.md 11.6): of a range by its start. A value with a time counts by the day that it has in the
// zone of the request.
import type { Statement } from "effect/sql"
import { DAYS } from "../../../../platform/primitives/dates.ts"
import type { FieldGroups, GroupSpan, GroupSql } from "../contract/FieldGroups.ts"
import { keyedValue } from "./keyedValue.ts"

const LENGTH = { day: 10, month: 7, year: 4 } as const

/** The first and the last day of a group. */
const daysOf = (key: string, { unit }: Pick<GroupSpan, "unit">): { readonly first: string; readonly last: string } => {
  if (unit === "day") return { first: key, last: key }
  if (unit === "year") return { first: `${key}-01-01`, last: `${key}-12-31` }
  const lastDay = new Date(`${key}-01T00:00:00Z`)
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0)
  return { first: `${key}-01`, last: `${key}-${lastDay.getUTCDate()}` }
}

const FIRST_DAY = "-01-01"

const dated = {
  order: ({ lit }) => ({ expression: lit('g.key COLLATE "C"'), type: "text" }),
  cell: (key) => [{ start: key + FIRST_DAY.slice(FIRST_DAY.length - (10 - key.length)) }],
  condition: (key, span) => {
    const { first, last } = daysOf(key, span)
    return {
      match_type: "within",
      relative_date_range_type: "exact_range",
      values: [{ value: { date: first } }],
      end_date: last,
      ...(span.zone === "UTC" ? {} : { timezone: span.zone })
    }
  }
} satisfies Partial<FieldGroups>

const dayOf = ({ sql, unit }: GroupSql, day: Statement.Fragment) => sql`left(${day}, ${LENGTH[unit]}::int)`

/** A zone's wall clock; days that no filter names count as the nearest one that it does. */
const boundedClock = ({ sql }: GroupSql, clock: Statement.Fragment) =>
  sql`greatest(least(${clock}, ${`${DAYS.last} 23:59:59`}::timestamp), ${DAYS.first}::timestamp)`

/** Stored dates, as texts. */
export const dateGroups: FieldGroups = {
  ...dated,
  value: (groupSql, { field_id }) =>
    keyedValue(groupSql, field_id, "k.plain", groupSql.sql`(${groupSql.first(field_id)}->>'start')`),
  key: (groupSql) => {
    const { lit, sql, zone } = groupSql
    if (zone === "UTC") return dayOf(groupSql, lit("v.value"))
    const clock = boundedClock(groupSql, sql`v.value::timestamp AT TIME ZONE 'UTC' AT TIME ZONE ${zone}::text`)
    return dayOf(groupSql, sql`CASE WHEN length(v.value) > 10 THEN to_char(${clock}, 'YYYY-MM-DD') ELSE v.value END`)
  }
}

/** The record's own times. @param column of `records` */
export const momentGroups = (column: "created_on" | "last_modified_on"): FieldGroups => ({
  ...dated,
  value: ({ lit, sql, zone }) => ({ value: sql`(${lit(`r.${column}`)} AT TIME ZONE ${zone}::text)::date` }),
  key: (groupSql) => {
    const { lit, sql } = groupSql
    const clock = boundedClock(groupSql, lit("v.value"))
    return dayOf(groupSql, sql`CASE WHEN v.value IS NOT NULL THEN to_char(${clock}, 'YYYY-MM-DD') END`)
  }
})
