// NOTIFY that only saves somebody a wait. Postgres writes it as a transaction and holds a lock of the whole database until that has
// committed: its commit does not wait for the disk.
import type { Sql } from "./Sql.ts"

export const notify = (sql: Sql, channel: string, payload: string) => sql`
  SELECT set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${payload})`
