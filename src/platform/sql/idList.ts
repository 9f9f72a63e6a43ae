// Ids as a condition of SQL: `record_id = ${idList(ids)}`.
import type { Sql } from "./Sql.ts"

/** The ids go as one parameter, so that lists of every length share a prepared statement. */
export const idListOf = (sql: Sql) => (ids: Iterable<number | string>) =>
  sql`ANY(${Array.from(ids, String)}::text[]::bigint[])`
