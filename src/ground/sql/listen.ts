// LISTEN on a connection of its own. Never on the pool: a listener keeps a shared connection for good, and statements
// that were handed the same one a moment before then wait for ever.
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { PgSql } from "./Sql.ts"

/** Notifications of a channel; fails when the connection is lost. Closed with the scope. */
export const listen = (sql: PgSql, channel: string) =>
  Effect.flatMap(PgConnection.make({ ...sql.config, multiplex: false }), (connection) => connection.listen(channel))
