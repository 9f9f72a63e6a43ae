// Builds the indexes of the pairs that large apps are often asked for (./pairIndexes.ts), concurrently with writes (./keyBuilding.ts), and drops
// those that are asked for no more. Each costs the writes of its app two index entries a record, so that there are few.
import { Clock, Context, Effect, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { makeKeyBuilding } from "./keyBuilding.ts"
import { UNUSED_DAYS } from "./pairIndexes.ts"

/** Indexes of pairs that an app may have, and those of all apps together. */
export const PairBounds = Context.Reference<{ readonly ofApp: number; readonly inAll: number }>(
  "millrace/records/PairBounds",
  { defaultValue: () => ({ ofApp: 4, inAll: 500 }) }
)
const DAY_MILLIS = 86_400_000

const Unready = Schema.Struct({ pair_id: Schema.Int })

export const buildPairIndexes = Effect.gen(function* () {
  const sql = yield* Sql
  const { ofApp, inAll } = yield* PairBounds
  const { build, removeOrphans } = yield* makeKeyBuilding({
    indexes: "pair_indexes",
    id: "pair_id",
    keys: "record_pairs"
  })

  const keys = sql`
    INSERT INTO record_pairs (pair_id, record_id, value, number, words, plain)
    SELECT f.pair_id, taken.record_id, k.* FROM taken CROSS JOIN f
    JOIN field_indexes filtered ON filtered.field_id = f.filter_id JOIN field_indexes sorted ON sorted.field_id = f.sort_id
    CROSS JOIN LATERAL record_pair_rows(
      filtered.kind, taken.cells->(f.filter_id::text), sorted.kind, taken.cells->(f.sort_id::text)) AS k
    WHERE taken.deleted_on IS NULL ON CONFLICT DO NOTHING`

  const nowMillis = yield* Clock.currentTimeMillis
  const yesterday = new Date(nowMillis - DAY_MILLIS)
  yield* sql`
    DELETE FROM pair_indexes WHERE CASE WHEN chosen_on IS NULL THEN counted_from < ${yesterday}
      ELSE often_on < ${new Date(nowMillis - UNUSED_DAYS * DAY_MILLIS)} END`
  // The first chosen stay; of the others those that are asked for most.
  yield* sql`
    UPDATE pair_indexes SET chosen_on = ${new Date(nowMillis)} WHERE chosen_on IS NULL AND pair_id IN (
      SELECT pair_id FROM (
        SELECT pair_id, requests, chosen_on,
          row_number() OVER (PARTITION BY app_id ORDER BY chosen_on NULLS LAST, requests DESC, pair_id) AS rank
        FROM pair_indexes WHERE often_on IS NOT NULL
      ) AS candidates
      WHERE rank <= ${ofApp}::int AND chosen_on IS NULL ORDER BY requests DESC, pair_id
      LIMIT greatest(0, ${inAll}::int - (SELECT count(*) FROM pair_indexes WHERE chosen_on IS NOT NULL)))`
  const unbuiltRows = yield* rowsOf(Unready)(sql`
    SELECT pair_id FROM pair_indexes WHERE chosen_on IS NOT NULL AND ready_on IS NULL ORDER BY chosen_on, pair_id`)
  const built = yield* Effect.forEach(unbuiltRows, ({ pair_id }) => build(pair_id, keys, Effect.void))
  return { pairs_indexed: built.reduce((sum, one) => sum + one, 0), record_pairs: yield* removeOrphans }
}).pipe(orSqlDefect, Effect.withSpan("records.buildPairIndexes"))
