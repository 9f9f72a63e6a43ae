// The outbox as the relay reads it: rows in id order, turned back into events.
import { Schema } from "effect"
import type { OutboxEvent } from "../outbox/Event.ts"

export const OutboxRow = Schema.Struct({
  event_id: Schema.Int,
  type: Schema.String,
  org_id: Schema.Int,
  app_id: Schema.NullOr(Schema.Int),
  record_id: Schema.NullOr(Schema.Int),
  hook: Schema.Boolean,
  workflow: Schema.Boolean,
  silent: Schema.Boolean,
  depth: Schema.Int,
  cause: Schema.Unknown,
  payload: Schema.Unknown,
  traceparent: Schema.NullOr(Schema.String),
  attempts: Schema.Int,
  shard: Schema.Int,
  created_on: Schema.Date
})
export type OutboxRow = typeof OutboxRow.Type

/** Whoever appended the row had the type checker's word for its payload. */
export const toEvent = ({ hook, workflow, silent, attempts: _, shard: __, ...row }: OutboxRow): OutboxEvent =>
  ({ ...row, switches: { hook, workflow, silent } }) as unknown as OutboxEvent

/** What must stay in order: the events of one record; those without one among themselves per app. */
export const lane = (row: OutboxRow): string =>
  row.record_id === null ? `app ${row.app_id ?? "none"}` : `record ${row.record_id}`
