// The outbox as the relay reads it: rows in id order, turned back into events.
import type { OutboxEvent } from "../outbox/Event.ts"

export interface OutboxRow {
  readonly event_id: number
  readonly type: string
  readonly org_id: number
  readonly app_id: number | null
  readonly record_id: number | null
  readonly hook: boolean
  readonly workflow: boolean
  readonly silent: boolean
  readonly depth: number
  readonly cause: unknown
  readonly payload: unknown
  readonly attempts: number
  readonly created_on: Date
}

/** Whoever appended the row had the type checker's word for its payload. */
export const toEvent = ({ hook, workflow, silent, attempts: _, ...row }: OutboxRow): OutboxEvent =>
  ({ ...row, switches: { hook, workflow, silent } }) as unknown as OutboxEvent

/** What must stay in order: the events of one record; those without one among themselves per app. */
export const lane = (row: OutboxRow): string =>
  row.record_id === null ? `app ${row.app_id ?? "none"}` : `record ${row.record_id}`
