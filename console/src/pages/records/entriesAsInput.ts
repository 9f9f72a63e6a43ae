// Entries of a field as they are read, turned into what a write takes (developer-api.md 3.2, 4.3): to put back what a revision changed,
// and to take out what an import may bring back.

const moment = (date: string, time: string | null) => (time === null ? date : `${date} ${time}`)

/** The address alone, where nothing else is said. */
const location = ({ map_in_sync, value, ...parts }: any) =>
  map_in_sync || Object.values(parts).some((part) => part !== null) ? { value, ...parts, map_in_sync } : value

const list = (values: ReadonlyArray<unknown>) => (values.length === 0 ? null : values)

export interface EntriesOfField {
  readonly field_type: string
  readonly values: ReadonlyArray<unknown>
}

/**
 * Input that writes these entries again; null empties the field. Ids of entries are left out: a write could not keep those that are gone.
 */
export const entriesAsInput = ({ field_type, values }: EntriesOfField): unknown => {
  const all = values as ReadonlyArray<any>
  const first = all[0]
  switch (field_type) {
    case "single_text":
    case "multi_text":
    case "number":
      return first?.value ?? null
    case "single_category":
    case "status":
      return first?.value.id ?? null
    case "multi_category":
      return list(all.map(({ value }) => value.id))
    case "single_date":
      return first === undefined ? null : moment(first.start_date_utc, first.start_time_utc)
    case "range_date": {
      if (first === undefined) return null
      const start = moment(first.start_date_utc, first.start_time_utc)
      return first.end_date_utc === null ? { start } : { start, end: moment(first.end_date_utc, first.end_time_utc) }
    }
    case "single_relation":
      return first?.value.record_id ?? null
    case "multi_relation":
      return list(all.map(({ value }) => value.record_id))
    case "single_user":
      return first?.value.user_id ?? null
    case "multi_user":
      return list(all.map(({ value }) => value.user_id))
    case "checklist":
      return list(
        all.map(({ assignee, completed, description, due_at, title }) => ({
          title,
          completed,
          ...(description === null ? {} : { description }),
          ...(due_at === null ? {} : { due_at }),
          ...(assignee === null ? {} : { assignee: assignee.user_id })
        }))
      )
    case "multi_email":
      return list(all.map(({ type, value }) => ({ type, email: value })))
    case "multi_phone":
      return list(all.map(({ type, value }) => ({ type, phone: value })))
    case "multi_link":
      return list(all.map(({ url }) => ({ url })))
    case "single_location":
      return first === undefined ? null : location(first)
    case "single_attachment":
      return first?.value.id ?? null
    case "multi_attachment":
    case "multi_image":
      return list(all.map(({ value }) => value.id))
    default:
      return undefined
  }
}
