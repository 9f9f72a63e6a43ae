// Stored form of a record's values: per field a list of entries, absent when empty (developer-api.md 3.2, 3.3, 4.1). A single-valued field
// holds one entry. Rendering, revisions, the filter evaluator and templates use the same form.

/** Date, or range of dates, in UTC: `YYYY-MM-DD` without time, `YYYY-MM-DD HH:mm:ss` with. */
export interface DateEntry {
  readonly start: string
  readonly end?: string
}
export interface ChecklistEntry {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly due_at: string | null
  readonly completed: boolean
  readonly completed_at: string | null
  /** Id of the assigned user. */
  readonly assignee: number | null
}
/** Entry of email and phone fields. */
export interface ContactEntry {
  readonly id: number
  readonly value: string
  readonly type: string
}
export interface LinkEntry {
  readonly embed_id: number
  readonly url: string
  readonly title?: string
  readonly description?: string
}
export interface LocationEntry {
  readonly value: string
  readonly original_formatted_address: string | null
  readonly street_address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly postal_code: string | null
  readonly country: string | null
  readonly latitude?: number
  readonly longitude?: number
  readonly map_in_sync: boolean
}

/**
 * text: string · number: number · category and status: option id · relation: record id · user: user id ·
 * attachment and image: file id · date: DateEntry · the rest as named.
 */
export type Entry = string | number | DateEntry | ChecklistEntry | ContactEntry | LinkEntry | LocationEntry
export type Cell = ReadonlyArray<Entry>

/** Cells by decimal field id; empty fields are absent. `unique_id`, created and modified fields are read from the record itself. */
export type Cells = Readonly<Record<string, Cell>>
