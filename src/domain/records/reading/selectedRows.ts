// Reads rows of records together with what would take statements of their own: the users who wrote them, and the number of all matches where
// an index has it.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql, type Undecoded } from "../../../platform/sql/Sql.ts"
import type { UserView } from "../fields/model/Field.ts"
import { userColumns, userTables, userView } from "../model/Lookups.ts"
import { RecordRow } from "../model/RecordRow.ts"

/** Values of `userColumns` of each author. */
type Authors = ReadonlyArray<readonly [user_id: number, email: string, image: string | null, name: string]>

const SelectedRow = Schema.Struct({
  ...RecordRow.fields,
  /** Value that the record was sorted by. */
  sort_key: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Version of the app. */
  version: Schema.optionalKey(Schema.Int),
  /** Comes with the first row of a page alone. */
  about: Schema.optionalKey(Schema.NullOr(jsonb<readonly [total: number | null, users: Authors | null]>()))
})
type SelectedRecord = typeof SelectedRow.Type

export interface SelectedRows<Row extends RecordRow = SelectedRecord> {
  readonly rows: ReadonlyArray<Row>
  /** Authors of the records and of their last changes, as far as they came with the rows. */
  readonly users?: ReadonlyArray<UserView>
  /** Number of all matches, if it came with the rows. */
  readonly total?: number
}

/** Rows of which the second part follows the first. */
export const bothParts = (first: SelectedRows, second: SelectedRows): SelectedRows => {
  const total = first.total ?? second.total
  return {
    rows: [...first.rows, ...second.rows],
    users: [...(first.users ?? []), ...(second.users ?? [])],
    ...(total === undefined ? {} : { total })
  }
}

export const makeSelectedRows = Effect.map(Sql, (sql) => {
  const lit = sql.literal

  /**
   * An array of ids, so that the planner looks users up by them whatever number it estimates. Arrays of values, since Postgres takes several
   * times as long for an object.
   */
  const authors = (orgId: number) => sql`
    SELECT json_agg(json_build_array(${lit(userColumns)})) FROM ${lit(userTables)}
    WHERE u.org_id = ${orgId}::bigint AND u.user_id = ANY(ARRAY(
      SELECT (created_by->>'user_id')::bigint FROM selected UNION ALL
      SELECT (last_modified_by->>'user_id')::bigint FROM selected WHERE last_modified_by IS NOT NULL))`

  /** Runs a SELECT of records alone. */
  const undecodedRows = (records: Undecoded): Effect.Effect<SelectedRows, SqlError> =>
    Effect.map(rowsOf(SelectedRow)(records), (rows) => ({ rows }))

  /**
   * Runs a SELECT of records, whose order stays, with their authors.
   * @param counted SELECT of the number of all matches `n`; the other one may read it as `counted`
   */
  const withAuthors = (
    orgId: number,
    records: Statement.Fragment,
    counted?: Statement.Fragment
  ): Effect.Effect<SelectedRows, SqlError> =>
    Effect.map(
      rowsOf(SelectedRow)(sql`
        WITH ${counted === undefined ? lit("") : sql`counted AS MATERIALIZED (${counted}), `}selected AS MATERIALIZED (${records})
        SELECT selected.*, CASE WHEN record_id = (SELECT record_id FROM selected LIMIT 1) THEN json_build_array(
          ${lit(counted === undefined ? "NULL" : "(SELECT n FROM counted)")}, (${authors(orgId)})) END AS about
        FROM selected`),
      (rows) => {
        const [total = null, users] = rows[0]?.about ?? []
        return {
          rows,
          users: (users ?? []).map(([user_id, email, image, name]) => userView(orgId, { user_id, email, image, name })),
          ...(total === null ? {} : { total })
        }
      }
    )

  return { plain: undecodedRows, withAuthors }
})
