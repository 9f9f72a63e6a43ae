// Reads how far the server's log reaches. A standby that took over with less of it has lost commits, whatever was promised
// (docs/architecture/actors.md, "Epochs"). Within one timeline a lower position proves nothing: a crash may cut off a record that was half
// written.
import { Effect, Schema } from "effect"
import { rowOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"

export const LogPosition = Schema.Struct({ timeline: Schema.String, bytes: Schema.Finite })
export type LogPosition = typeof LogPosition.Type

/** Position of the server's log. Fails if the server keeps it to itself, and while it takes no writes. */
export const logPosition = (sql: Sql) =>
  Effect.map(
    rowOf(LogPosition)(sql`
      SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
        (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 AS bytes`),
    (position) => position!
  )

/** Reason why commits were lost; null: the log goes on from where it was. */
export const whyLost = (before: LogPosition, now: LogPosition): string | null =>
  before.timeline !== now.timeline && now.bytes < before.bytes
    ? `a standby took over without the end of the log (${before.bytes - now.bytes} bytes at least)`
    : null
