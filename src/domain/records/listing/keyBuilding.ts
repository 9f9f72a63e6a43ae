// Builds keys of records concurrently with writes: of fields (./buildFieldIndexes.ts) and of pairs (./buildPairIndexes.ts). From an index's row on,
// writes keep the keys of records that they change (triggers of migrations 0044 and 0076); this creates the keys of earlier records, in the
// order of their ids.
import { Clock, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { deleteInBatches } from "../../../platform/sql/deleteInBatches.ts"
import { OpenTransactions } from "../../../platform/sql/OpenTransactions.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"

/** Records per batch; their writers wait meanwhile. */
const BATCH = 2_000
const GONE_BATCH = 10_000
/** Milliseconds between checks for the end of transactions that began before the row. */
const LOOK_MILLIS = 200

const Ended = Schema.Struct({ ended: Schema.Boolean })
const Built = Schema.Struct({ last: Schema.NullOr(Schema.String), n: Schema.Int })
const Id = Schema.Struct({ id: Schema.Int })

/** A table of indexes, and that of their keys. */
interface KeyTables {
  readonly indexes: "field_indexes" | "pair_indexes"
  readonly id: "field_id" | "pair_id"
  readonly keys: "record_keys" | "record_pairs"
}

export const makeKeyBuilding = Effect.fnUntraced(function* (tables: KeyTables) {
  const sql = yield* Sql
  const { indexMillis } = yield* OpenTransactions
  const [indexes, id, keys] = [sql.literal(tables.indexes), sql.literal(tables.id), sql.literal(tables.keys)]

  /**
   * Waits until all transactions have ended that may have written without seeing the row (`begun_at`) or the counts (`counts_from`): they
   * began before this snapshot, so what they wrote is visible afterwards.
   */
  const waitForWriters = Effect.fnUntraced(function* (indexId: number, of: "begun_at" | "counts_from") {
    const since = sql.literal(of)
    yield* sql`
      UPDATE ${indexes} SET ${since} = pg_snapshot_xmax(pg_current_snapshot()) WHERE ${id} = ${indexId} AND ${since} IS NULL`
    for (let attempt = 0; attempt * LOOK_MILLIS < indexMillis; attempt++) {
      const row = yield* rowOf(Ended)(sql`
        SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${since} AS ended FROM ${indexes} WHERE ${id} = ${indexId}`)
      if (row?.ended !== false) return row !== undefined
      yield* Effect.sleep(LOOK_MILLIS)
    }
    return false
  })

  /**
   * FOR SHARE: a write of one of these is either seen, or waits and keeps its keys itself.
   * @param insert INSERT of the keys of `taken`, for the row `f` of the index
   */
  const batch = (indexId: number, insert: Statement.Fragment) =>
    rowOf(Built)(sql`
      WITH f AS (
        SELECT * FROM ${indexes} WHERE ${id} = ${indexId} AND ready_on IS NULL FOR UPDATE
      ), taken AS MATERIALIZED (
        SELECT r.record_id, r.cells, r.deleted_on FROM records r
        WHERE r.app_id = (SELECT app_id FROM f) AND r.record_id > (SELECT built_to FROM f)
        ORDER BY r.record_id LIMIT ${BATCH}::int FOR SHARE
      ), made AS (${insert}), far AS (
        UPDATE ${indexes} SET built_to = (SELECT max(record_id) FROM taken)
        WHERE ${id} = ${indexId} AND EXISTS (SELECT 1 FROM taken)
      )
      SELECT max(record_id)::text AS last, count(*)::int AS n FROM taken`)

  /** Deletes the keys of the index that the fragment `gone` returns; it is evaluated anew for each batch. */
  const remove = (gone: Statement.Fragment) =>
    deleteInBatches(
      GONE_BATCH,
      sql`
        WITH gone AS MATERIALIZED (${gone})
        DELETE FROM ${keys} WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM ${keys} WHERE ${id} = (SELECT ${id} FROM gone) LIMIT ${GONE_BATCH})) RETURNING 1`
    )

  /** Returns the number of records that were read. @param first runs before the first batch */
  const build = Effect.fnUntraced(function* <E, R>(
    indexId: number,
    insert: Statement.Fragment,
    first: Effect.Effect<unknown, E, R>
  ) {
    if (!(yield* waitForWriters(indexId, "begun_at"))) return 0
    yield* first
    const built = yield* deleteInBatches(
      BATCH,
      Effect.map(batch(indexId, insert), (row) => row?.n ?? 0)
    )
    yield* sql`SELECT ${sql.literal(`${tables.keys}_analyze()`)}`
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    yield* sql`UPDATE ${indexes} SET ready_on = ${nowDate} WHERE ${id} = ${indexId} AND ready_on IS NULL`
    return built
  })

  /** Deletes the keys of indexes that are gone, and returns their number: one lookup per index that has keys. */
  const removeOrphans = Effect.gen(function* () {
    const orphans = yield* rowsOf(Id)(sql`
      WITH RECURSIVE keyed AS (
        SELECT min(${id}) AS id FROM ${keys}
        UNION ALL
        SELECT (SELECT min(k.${id}) FROM ${keys} k WHERE k.${id} > keyed.id) FROM keyed WHERE keyed.id IS NOT NULL
      )
      SELECT id FROM keyed WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${indexes} f WHERE f.${id} = keyed.id)`)
    const orphan = (indexId: number) => sql`
      SELECT ${indexId}::bigint AS ${id} WHERE NOT EXISTS (SELECT 1 FROM ${indexes} WHERE ${id} = ${indexId})`
    const removedCounts = yield* Effect.forEach(orphans, (row) => remove(orphan(row.id)))
    return removedCounts.reduce((sum, one) => sum + one, 0)
  })

  return { build, remove, removeOrphans, waitForWriters }
})
