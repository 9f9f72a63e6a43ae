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

/** Converts the row without decoding its payload: the type checker has checked it where the row was appended. */
export const toEvent = ({ hook, workflow, silent, attempts: _, shard: __, ...row }: OutboxRow): OutboxEvent =>
  ({ ...row, switches: { hook, workflow, silent } }) as unknown as OutboxEvent

/** Ordering key: events of one record stay in order, and so do an app's events without a record. */
export const lane = (row: OutboxRow): string =>
  row.record_id === null ? `app ${row.app_id ?? "none"}` : `record ${row.record_id}`
