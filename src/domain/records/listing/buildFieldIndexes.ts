// Builds field indexes that listings requested (./fieldIndexes.ts), concurrently with writes. From the row of `field_indexes` on, writes
// maintain the keys of records that they change (triggers of migration 0044); this job creates the keys of earlier records, in the order of
// their ids.
import { Clock, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { drain } from "../../../platform/sql/drain.ts"
import { OpenTransactions } from "../../../platform/sql/OpenTransactions.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { foldKeyCounts, makeKeyCounts } from "./keyCounts.ts"

/** Records per batch; their writers wait meanwhile. */
const BATCH = 2_000
const GONE_BATCH = 10_000
const UNUSED_DAYS = 30
/** Milliseconds between checks for the end of transactions that began before the row. */
const LOOK_MILLIS = 200

const Unready = Schema.Struct({ field_id: Schema.Int })
const Ended = Schema.Struct({ ended: Schema.Boolean })
const Built = Schema.Struct({ last: Schema.NullOr(Schema.String), n: Schema.Int })

export const buildFieldIndexes = Effect.gen(function* () {
  const sql = yield* Sql
  const { countOnce } = yield* makeKeyCounts
  const { indexMillis } = yield* OpenTransactions
  const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  /**
   * Waits until all transactions have ended that may have written without seeing the row (`begun_at`) or the counts (`counts_from`): they
   * began before this snapshot, so what they wrote is visible afterwards.
   */
  const waitForWriters = Effect.fnUntraced(function* (fieldId: number, of: "begun_at" | "counts_from") {
    const since = sql.literal(of)
    yield* sql`
      UPDATE field_indexes SET ${since} = pg_snapshot_xmax(pg_current_snapshot()) WHERE field_id = ${fieldId} AND ${since} IS NULL`
    for (let attempt = 0; attempt * LOOK_MILLIS < indexMillis; attempt++) {
      const row = yield* rowOf(Ended)(sql`
        SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${since} AS ended FROM field_indexes WHERE field_id = ${fieldId}`)
      if (row?.ended !== false) return row !== undefined
      yield* Effect.sleep(LOOK_MILLIS)
    }
    return false
  })

  /** FOR SHARE: a write of one of these is either seen, or waits and keeps its keys itself. */
  const batch = (fieldId: number) =>
    rowOf(Built)(sql`
      WITH f AS (
        SELECT field_id, app_id, kind, built_to FROM field_indexes WHERE field_id = ${fieldId} AND ready_on IS NULL FOR UPDATE
      ), taken AS MATERIALIZED (
        SELECT r.record_id, r.cells, r.deleted_on FROM records r
        WHERE r.app_id = (SELECT app_id FROM f) AND r.record_id > (SELECT built_to FROM f)
        ORDER BY r.record_id LIMIT ${BATCH}::int FOR SHARE
      ), made AS (
        INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
        SELECT f.field_id, taken.record_id, k.* FROM taken CROSS JOIN f
        CROSS JOIN LATERAL record_key_rows(f.kind, taken.cells->(f.field_id::text)) AS k
        WHERE taken.deleted_on IS NULL ON CONFLICT DO NOTHING
      ), far AS (
        UPDATE field_indexes SET built_to = (SELECT max(record_id) FROM taken)
        WHERE field_id = ${fieldId} AND EXISTS (SELECT 1 FROM taken)
      )
      SELECT max(record_id)::text AS last, count(*)::int AS n FROM taken`)

  /** Deletes the keys of the field that the fragment `gone` returns; it is evaluated anew for each batch. */
  const remove = (gone: Statement.Fragment) =>
    drain(
      GONE_BATCH,
      sql`
        WITH gone AS MATERIALIZED (${gone})
        DELETE FROM record_keys WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM record_keys WHERE field_id = (SELECT field_id FROM gone) LIMIT ${GONE_BATCH})) RETURNING 1`
    )

  /** Keys of a former index of the field that have not been maintained since it was dropped, before the first batch of this one. */
  const stale = (fieldId: number) => sql`
    SELECT field_id FROM field_indexes WHERE field_id = ${fieldId} AND ready_on IS NULL AND built_to = 0 FOR UPDATE`

  const build = Effect.fnUntraced(function* (fieldId: number) {
    if (!(yield* waitForWriters(fieldId, "begun_at"))) return 0
    yield* remove(stale(fieldId))
    const built = yield* drain(
      BATCH,
      Effect.map(batch(fieldId), (row) => row?.n ?? 0)
    )
    yield* sql`SELECT record_keys_analyze()`
    yield* sql`UPDATE field_indexes SET ready_on = ${yield* currentTime} WHERE field_id = ${fieldId} AND ready_on IS NULL`
    return built
  })

  const cutoff = new Date((yield* Clock.currentTimeMillis) - UNUSED_DAYS * 86_400_000)
  yield* sql`DELETE FROM field_indexes WHERE asked_on < ${cutoff}`
  const unbuiltRows = yield* rowsOf(Unready)(sql`
    SELECT field_id FROM field_indexes WHERE ready_on IS NULL ORDER BY asked_on, field_id`)
  const built = yield* Effect.forEach(unbuiltRows, ({ field_id }) => build(field_id))
  const uncounted = yield* rowsOf(Unready)(sql`
    SELECT field_id FROM field_indexes WHERE ready_on IS NOT NULL AND NOT counted AND kind <> 'text' ORDER BY asked_on, field_id`)
  for (const { field_id } of uncounted) if (yield* waitForWriters(field_id, "counts_from")) yield* countOnce(field_id)

  // Deletes keys of deleted fields and of unused indexes: one lookup per field that has keys.
  const orphans = yield* rowsOf(Unready)(sql`
    WITH RECURSIVE keyed AS (
      SELECT min(field_id) AS field_id FROM record_keys
      UNION ALL
      SELECT (SELECT min(k.field_id) FROM record_keys k WHERE k.field_id > keyed.field_id) FROM keyed WHERE keyed.field_id IS NOT NULL
    )
    SELECT field_id FROM keyed WHERE field_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM field_indexes f WHERE f.field_id = keyed.field_id)`)
  const orphan = (fieldId: number) => sql`
    SELECT ${fieldId}::bigint AS field_id WHERE NOT EXISTS (SELECT 1 FROM field_indexes WHERE field_id = ${fieldId})`
  const removedCounts = yield* Effect.forEach(orphans, ({ field_id }) => remove(orphan(field_id)))
  const sum = (all: ReadonlyArray<number>) => all.reduce((total, one) => total + one, 0)
  return { records_indexed: sum(built), record_keys: sum(removedCounts), record_key_counts: yield* foldKeyCounts }
}).pipe(orSqlDefect, Effect.withSpan("records.buildFieldIndexes"))
