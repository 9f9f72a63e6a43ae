// Entries as a cell shows them until its write is answered, made of the input of the write (developer-api.md 3.2).
import type { Field } from "../../../api/types.ts"
import type { Entries } from "../writes/CellWrite.ts"

/** Names of what an input refers to by id. */
export interface Shown {
  readonly person: (id: number) => unknown
  /** Title of a related record; undefined if it is not known. */
  readonly title: (id: number) => string | undefined
}

const optionsOf = ({ config: { settings } }: Field): ReadonlyArray<{ readonly id: number }> =>
  "options" in settings ? (settings.options as ReadonlyArray<{ readonly id: number }>) : []

/** Day and time of a moment as writes take it: `2026-04-01`, or `2026-04-01 14:30:00` in UTC. */
const momentParts = (moment: string) => {
  const [day, time] = moment.split(/[ T]/)
  return { date: day ?? null, time: time === undefined ? null : time.replace("Z", "") }
}

const startOf = (moment: string) => {
  const { date, time } = momentParts(moment)
  return { start_date_utc: date, start_time_utc: time, start_utc: moment }
}

const listOf = (input: unknown): ReadonlyArray<any> => (Array.isArray(input) ? input : [input])

/** @returns undefined if the entries cannot be known before */
export const shownEntries = (field: Field, input: unknown, { person, title }: Shown): Entries | undefined => {
  if (input === null) return []
  switch (field.field_type) {
    case "single_text":
    case "multi_text":
      return [{ value: input }]
    case "number":
      return [{ value: Number(input) }]
    case "single_category":
    case "multi_category":
    case "status":
      return listOf(input)
        .flatMap((id) => optionsOf(field).filter((option) => option.id === id))
        .map((value) => ({ value }))
    case "single_date":
      return typeof input === "string" ? [startOf(input)] : undefined
    case "range_date": {
      const { end, start } = input as { readonly start: string; readonly end?: string }
      const until = end === undefined ? undefined : momentParts(end)
      return [
        {
          ...startOf(start),
          end_date_utc: until?.date ?? null,
          end_time_utc: until?.time ?? null,
          end_utc: end ?? null
        }
      ]
    }
    case "single_user":
    case "multi_user": {
      const people = listOf(input).map(person)
      return people.includes(undefined) ? undefined : people.map((value) => ({ value }))
    }
    case "single_relation":
    case "multi_relation": {
      const records = listOf(input).map((record_id: number) => ({ record_id, title: title(record_id) }))
      return records.some((record) => record.title === undefined) ? undefined : records.map((value) => ({ value }))
    }
    default:
      return undefined
  }
}
