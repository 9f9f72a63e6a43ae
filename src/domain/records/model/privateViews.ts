// People for whom a view exists (developer-api.md 11.6): a private one for its maker alone.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"

/** Condition over the columns of `views`. @param userId the one who asks; null: nobody in particular, or several, who see no private view */
export const viewExistsFor = (sql: Sql, userId: number | null): Statement.Fragment =>
  sql`(NOT private OR created_by = ${userId}::bigint)`
