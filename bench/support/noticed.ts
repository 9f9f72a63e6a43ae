// The relay is told of an event with its commit, as who appends it tells (src/engine/outbox/notice.ts); of several, that there are some.
import type { SqlClient, Statement } from "effect/sql"

/** @param events a table of outbox rows */
export const noticed = (sql: SqlClient.SqlClient, events: Statement.Fragment) => sql`
  SELECT pg_notify('outbox', CASE WHEN count(*) = 1 THEN json_agg(o)::text ELSE '' END) FROM (SELECT * FROM ${events}) AS o HAVING count(*) > 0`
