// SELECTs of pages for which Postgres keeps one plan (developer-api.md 4.2). It plans a prepared statement anew for each request while it
// expects more of the plan for all values: of a limit or an offset that is a parameter, a tenth of all records. Planning takes longer than
// such a page, which an index has in its order.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"

/** Records of the largest page, and the one that says whether another follows. */
const PAGE_MOST = 501

export const planKeeping = (sql: Sql, columns: Statement.Fragment) => {
  const lit = sql.literal

  /** First records of a SELECT: the constant bound says that it ends soon. A SELECT of more runs for longer than its planning takes. */
  const firstOf = (ordered: Statement.Fragment, limit: number) =>
    limit > PAGE_MOST
      ? sql`${ordered} LIMIT ${limit}::int`
      : sql`SELECT page.* FROM (${ordered} LIMIT ${lit(String(PAGE_MOST))}) AS page LIMIT ${limit}::int`

  const skipping = (offset: number) => (offset === 0 ? lit("OFFSET 0") : sql`OFFSET ${offset}::bigint`)

  /**
   * SELECT of the first page of an app's live records, by their ids. The app is a range, since only `records_live` has that order: of an
   * equal app the primary key has it too, and a plan for every app would look for a small one's records among those of all others.
   */
  const firstPage = (appId: number, newest: boolean, limit: number) =>
    firstOf(
      sql`
        SELECT ${columns} FROM records r
        WHERE r.app_id BETWEEN ${appId}::bigint AND ${appId}::bigint AND r.deleted_on IS NULL
        ORDER BY ${lit(newest ? "r.app_id ASC, r.record_id DESC" : "r.app_id DESC, r.record_id ASC")}`,
      limit
    )

  return { firstOf, firstPage, skipping }
}
