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
  const cellEntries = values as ReadonlyArray<any>
  const firstEntry = cellEntries[0]
  switch (field_type) {
    case "single_text":
    case "multi_text":
    case "number":
      return firstEntry?.value ?? null
    case "single_category":
    case "status":
      return firstEntry?.value.id ?? null
    case "multi_category":
      return list(cellEntries.map(({ value }) => value.id))
    case "single_date":
      return firstEntry === undefined ? null : moment(firstEntry.start_date_utc, firstEntry.start_time_utc)
    case "range_date": {
      if (firstEntry === undefined) return null
      const start = moment(firstEntry.start_date_utc, firstEntry.start_time_utc)
      return firstEntry.end_date_utc === null
        ? { start }
        : { start, end: moment(firstEntry.end_date_utc, firstEntry.end_time_utc) }
    }
    case "single_relation":
      return firstEntry?.value.record_id ?? null
    case "multi_relation":
      return list(cellEntries.map(({ value }) => value.record_id))
    case "single_user":
      return firstEntry?.value.user_id ?? null
    case "multi_user":
      return list(cellEntries.map(({ value }) => value.user_id))
    case "checklist":
      return list(
        cellEntries.map(({ assignee, completed, description, due_at, title }) => ({
          title,
          completed,
          ...(description === null ? {} : { description }),
          ...(due_at === null ? {} : { due_at }),
          ...(assignee === null ? {} : { assignee: assignee.user_id })
        }))
      )
    case "multi_email":
      return list(cellEntries.map(({ type, value }) => ({ type, email: value })))
    case "multi_phone":
      return list(cellEntries.map(({ type, value }) => ({ type, phone: value })))
    case "multi_link":
      return list(cellEntries.map(({ url }) => ({ url })))
    case "single_location":
      return firstEntry === undefined ? null : location(firstEntry)
    case "single_attachment":
      return firstEntry?.value.id ?? null
    case "multi_attachment":
    case "multi_image":
      return list(cellEntries.map(({ value }) => value.id))
    default:
      return undefined
  }
}
