// Builds field indexes that listings requested (./fieldIndexes.ts), concurrently with writes (./keyBuilding.ts), and drops those that no listing
// has used for a month.
import { Clock, Effect, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { makeKeyBuilding } from "./keyBuilding.ts"
import { foldKeyCounts, makeKeyCounts } from "./keyCounts.ts"

const UNUSED_DAYS = 30

const Unready = Schema.Struct({ field_id: Schema.Int })

export const buildFieldIndexes = Effect.gen(function* () {
  const sql = yield* Sql
  const { countOnce } = yield* makeKeyCounts
  const { build, remove, removeOrphans, waitForWriters } = yield* makeKeyBuilding({
    indexes: "field_indexes",
    id: "field_id",
    keys: "record_keys"
  })

  const keys = sql`
    INSERT INTO record_keys (field_id, record_id, n, number, words, plain, ref)
    SELECT f.field_id, taken.record_id, k.* FROM taken CROSS JOIN f
    CROSS JOIN LATERAL record_key_rows(f.kind, taken.cells->(f.field_id::text)) AS k
    WHERE taken.deleted_on IS NULL ON CONFLICT DO NOTHING`

  /** Keys of a former index of the field that have not been maintained since it was dropped, before the first batch of this one. */
  const stale = (fieldId: number) => sql`
    SELECT field_id FROM field_indexes WHERE field_id = ${fieldId} AND ready_on IS NULL AND built_to = 0 FOR UPDATE`

  const cutoff = new Date((yield* Clock.currentTimeMillis) - UNUSED_DAYS * 86_400_000)
  yield* sql`DELETE FROM field_indexes WHERE asked_on < ${cutoff}`
  const unbuiltRows = yield* rowsOf(Unready)(sql`
    SELECT field_id FROM field_indexes WHERE ready_on IS NULL ORDER BY asked_on, field_id`)
  const built = yield* Effect.forEach(unbuiltRows, ({ field_id }) => build(field_id, keys, remove(stale(field_id))))
  const uncounted = yield* rowsOf(Unready)(sql`
    SELECT field_id FROM field_indexes WHERE ready_on IS NOT NULL AND NOT counted AND kind <> 'text' ORDER BY asked_on, field_id`)
  for (const { field_id } of uncounted) if (yield* waitForWriters(field_id, "counts_from")) yield* countOnce(field_id)

  return {
    records_indexed: built.reduce((sum, one) => sum + one, 0),
    record_keys: yield* removeOrphans,
    record_key_counts: yield* foldKeyCounts
  }
}).pipe(orSqlDefect, Effect.withSpan("records.buildFieldIndexes"))
