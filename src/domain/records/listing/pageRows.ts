// Reads rows of a page together with what would take statements of their own: the users who wrote them, and the number of all matches where
// an index has it.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { jsonb } from "../../../ground/sql/columns.ts"
import { rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import type { UserView } from "../fields/model/Field.ts"
import { userColumns, userTables } from "../model/Lookups.ts"
import { RecordRow } from "../model/RecordRow.ts"

const PlacedRow = Schema.Struct({
  ...RecordRow.fields,
  sort_key: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Comes with the first row alone. */
  about: Schema.NullOr(jsonb<{ readonly total: number | null; readonly users: ReadonlyArray<UserView> | null }>())
})

/** Record and the value that it was sorted by. */
export interface PlacedRecord extends RecordRow {
  readonly sort_key?: string | null
}

export interface PageRead<Row extends RecordRow = PlacedRecord> {
  readonly rows: ReadonlyArray<Row>
  /** Authors of the records and of their last changes, as far as they came with the rows. */
  readonly users?: ReadonlyArray<UserView>
  /** Number of all matches, if it came with the rows. */
  readonly total?: number
}

/** Page of which the second part follows the first. */
export const bothParts = (first: PageRead, second: PageRead): PageRead => ({
  rows: [...first.rows, ...second.rows],
  users: [...(first.users ?? []), ...(second.users ?? [])]
})

export const makePageRows = Effect.map(Sql, (sql) => {
  /** Authors of the page. An array of ids, so that the planner looks users up by them whatever number it estimates. */
  const authors = (orgId: number) => sql`
    SELECT json_agg(found) FROM (
      SELECT ${sql.literal(userColumns)} FROM ${sql.literal(userTables)}
      WHERE u.org_id = ${orgId}::bigint AND u.user_id = ANY(ARRAY(
        SELECT DISTINCT (author->>'user_id')::bigint FROM page CROSS JOIN LATERAL (VALUES (page.created_by), (page.last_modified_by)) AS a (author)))
    ) AS found`

  /**
   * Runs a SELECT of a page, which keeps its order.
   * @param counted SELECT of the number of all matches `n`; the page may read it as `counted`
   */
  return (orgId: number, page: Statement.Fragment, counted?: Statement.Fragment): Effect.Effect<PageRead, SqlError> =>
    Effect.map(
      rowsOf(PlacedRow)(sql`
        WITH counted AS MATERIALIZED (${counted ?? sql.literal("SELECT NULL::int AS n")}), page AS MATERIALIZED (${page})
        SELECT page.*, CASE WHEN row_number() OVER () = 1 THEN
          json_build_object('total', (SELECT n FROM counted), 'users', (${authors(orgId)})) END AS about
        FROM page`),
      (placedRows) => {
        const { total = null, users = null } = placedRows[0]?.about ?? {}
        const rows = placedRows.map(({ about: _, ...row }) => row)
        return { rows, users: users ?? [], ...(total === null ? {} : { total }) }
      }
    )
})
