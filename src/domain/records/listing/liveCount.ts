// Counts an app's live records: the `total` of a listing without conditions (developer-api.md 1.4). Sums what writes left in
// `record_counts`, in the snapshot of the statement, so that it equals a count of the rows.
import { Effect, Schema } from "effect"
import { deleteInBatches } from "../../../platform/sql/deleteInBatches.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"

/** Changes that one statement folds. */
const BATCH = 10_000
/** Apps with no more changes than this are not folded. */
const FEW = 100
/** A reader that finds more of them than this puts them together. */
const MANY = 5_000

const Added = Schema.Struct({ n: Schema.Int, rows: Schema.Int, counted: Schema.Boolean })
const AppId = Schema.Struct({ app_id: Schema.Int })

export const makeLiveCount = Effect.gen(function* () {
  const sql = yield* Sql

  /** Statement of the number of live records `n`; null for an app that `of` has to count, or to fold. */
  const keptCount = (appId: number) => sql`
    SELECT CASE WHEN bool_or(counted) AND count(*) <= ${MANY}::int THEN coalesce(sum(change), 0)::int END AS n
    FROM record_counts WHERE app_id = ${appId}::bigint`

  const added = (appId: number) =>
    rowOf(Added)(sql`
      SELECT coalesce(sum(change), 0)::int AS n, count(*)::int AS rows, coalesce(bool_or(counted), false) AS counted
      FROM record_counts WHERE app_id = ${appId}`)

  /** Uses one statement, so that it sees both tables in one state. A second caller finds it done. */
  const countOnce = (appId: number) => sql`
    INSERT INTO record_counts (app_id, change, counted)
    SELECT ${appId}::bigint, (SELECT count(*) FROM records WHERE app_id = ${appId} AND deleted_on IS NULL)
      - (SELECT coalesce(sum(change), 0) FROM record_counts WHERE app_id = ${appId}), true
    WHERE NOT EXISTS (SELECT 1 FROM record_counts WHERE app_id = ${appId} AND counted)
    ON CONFLICT (app_id) WHERE counted DO NOTHING`

  /** Two at once share the changes: a row that one has removed is not the other's. */
  const fold = (appId: number) =>
    rowsOf(AppId)(sql`
      WITH gone AS (
        DELETE FROM record_counts WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM record_counts WHERE app_id = ${appId} AND NOT counted LIMIT ${BATCH}))
          AND EXISTS (SELECT 1 FROM record_counts WHERE app_id = ${appId} AND counted)
        RETURNING app_id, change
      ), kept AS (
        UPDATE record_counts SET change = change + (SELECT coalesce(sum(change), 0) FROM gone)
        WHERE app_id = ${appId} AND counted AND EXISTS (SELECT 1 FROM gone)
      )
      SELECT app_id FROM gone`)

  const countLive = Effect.fn("liveCount")(function* (appId: number) {
    const totals = yield* added(appId)
    if (!totals!.counted) {
      yield* countOnce(appId)
      return (yield* added(appId))!.n
    }
    if (totals!.rows > MANY) yield* fold(appId)
    return totals!.n
  }, orSqlDefect)

  return { of: countLive, keptCount, countOnce, fold }
})

/** Folds the changes of all apps, and deletes the counts of deleted apps; returns the number of deleted rows. */
export const foldLiveCounts = Effect.gen(function* () {
  const sql = yield* Sql
  const { countOnce, fold } = yield* makeLiveCount
  const deletedCount = yield* deleteInBatches(
    BATCH,
    sql`
      DELETE FROM record_counts WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM record_counts c WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = c.app_id) LIMIT ${BATCH}))
      RETURNING 1`
  )
  const apps = yield* rowsOf(AppId)(sql`
    SELECT app_id FROM record_counts GROUP BY app_id HAVING count(*) > ${FEW}::int`)
  const folded = yield* Effect.forEach(apps, ({ app_id }) =>
    Effect.andThen(countOnce(app_id), deleteInBatches(BATCH, fold(app_id)))
  )
  return folded.reduce((all, one) => all + one, deletedCount)
}).pipe(orSqlDefect, Effect.withSpan("records.foldLiveCounts"))
