// LISTENs on a connection of its own, to Postgres itself: a pooler in transaction mode delivers no notifications. Never on the pool: a
// listener keeps a shared connection for good, and statements that were given the same one a moment before then wait for ever.
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { directAddressOf } from "./directAddress.ts"
import type { PgSql } from "./Sql.ts"

/** Queue of the notifications of a channel; fails when the connection is lost. Closed with the scope. */
export const listen = (sql: PgSql, channel: string) =>
  Effect.flatMap(PgConnection.make({ ...sql.config, url: directAddressOf(sql), multiplex: false }), (connection) =>
    connection.listen(channel)
  )
