// Counts the records that pass a filter which the keys of a field answer alone: the `total` of such a listing (developer-api.md 1.4). Sums
// what writes left in `record_key_counts` (migration 0048), in the snapshot of the statement, so that it equals a count of the rows.
import { Effect, Schema } from "effect"
import { deleteInBatches } from "../../../platform/sql/deleteInBatches.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { KeyTest } from "../fields/sql/keyTests.ts"

/** Changes that one statement folds. */
const BATCH = 10_000

const FieldId = Schema.Struct({ field_id: Schema.Int })

export const makeKeyCounts = Effect.gen(function* () {
  const sql = yield* Sql

  /** Numbers are counted by parts. Only the keys of the part that the value cuts, which are few, are counted one by one. */
  const numbers = (fieldId: number, { comparator, value }: NonNullable<KeyTest["number"]>) => {
    const numberValue = sql`${String(value)}::numeric`
    const parts = (which: string) => sql`
      (SELECT coalesce(sum(change), 0) FROM record_key_counts
        WHERE field_id = ${fieldId}::bigint AND number ${sql.literal(which)} (SELECT part FROM asked))`
    const keys = (which: string) => sql`
      (SELECT count(*) FROM record_keys WHERE field_id = ${fieldId}::bigint AND number ${sql.literal(which)})`
    const below = sql`(${parts("<")} + ${keys(">= (SELECT part FROM asked) AND number < (SELECT value FROM asked)")})`
    const upTo = sql`(${parts("<")} + ${keys(">= (SELECT part FROM asked) AND number <= (SELECT value FROM asked)")})`
    const everyPart = sql`(${parts("<")} + ${parts(">=")})`
    const n = {
      "<": below,
      "<=": upTo,
      ">=": sql`${everyPart} - ${below}`,
      ">": sql`${everyPart} - ${upTo}`,
      "=": sql`${parts("=")} - ${keys(">= (SELECT part FROM asked) AND number < (SELECT value FROM asked)")}
        - ${keys("> (SELECT value FROM asked) AND number < (SELECT next FROM asked)")}`
    }[comparator]
    return sql`
      WITH asked AS MATERIALIZED (
        SELECT ${numberValue} AS value, key_part(${numberValue}) AS part, coalesce((
          SELECT min(number) FROM record_key_counts WHERE field_id = ${fieldId}::bigint AND number > key_part(${numberValue})
        ), 'Infinity') AS next
      )
      SELECT (${n})::int AS n`
  }

  /** Statement of the number of matching keys `n`; only for a counted index and an exact test. */
  const countKeys = (fieldId: number, { number, where }: KeyTest) =>
    number === undefined
      ? sql`SELECT coalesce(sum(k.change), 0)::int AS n FROM record_key_counts k WHERE k.field_id = ${fieldId}::bigint AND ${where}`
      : numbers(fieldId, number)

  /**
   * Adds the keys from before writes recorded their changes: all current keys minus the recorded changes. Of two concurrent calls one does
   * it.
   */
  const countOnce = (fieldId: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const [mine] = yield* rowsOf(FieldId)(sql`
          SELECT field_id FROM field_indexes WHERE field_id = ${fieldId} AND NOT counted AND kind <> 'text' FOR UPDATE`)
        if (mine === undefined) return
        yield* sql`
          INSERT INTO record_key_counts (field_id, number, plain, ref, change)
          SELECT ${fieldId}::bigint, number, plain, ref, sum(change) FROM (
            SELECT key_part(number) AS number, left(plain, 10) AS plain, ref, 1 AS change FROM record_keys
            WHERE field_id = ${fieldId} AND (number IS NOT NULL OR plain IS NOT NULL OR ref IS NOT NULL)
            UNION ALL
            SELECT number, plain, ref, -change FROM record_key_counts WHERE field_id = ${fieldId}
          ) AS seen GROUP BY number, plain, ref HAVING sum(change) <> 0`
        yield* sql`UPDATE field_indexes SET counted = true WHERE field_id = ${fieldId}`
      })
    )

  /** Two at once share the changes: a row that one has removed is not the other's. In the order of the values, so that they do not deadlock. */
  const fold = (fieldId: number) =>
    rowsOf(FieldId)(sql`
      WITH gone AS (
        DELETE FROM record_key_counts WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM record_key_counts WHERE field_id = ${fieldId} AND NOT folded LIMIT ${BATCH}))
        RETURNING field_id, number, plain, ref, change
      ), kept AS (
        INSERT INTO record_key_counts AS c (field_id, number, plain, ref, change, folded)
        SELECT field_id, number, plain, ref, sum(change), true FROM gone GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (field_id, number, plain, ref) WHERE folded DO UPDATE SET change = c.change + excluded.change
      )
      SELECT field_id FROM gone`)

  return { of: countKeys, countOnce, fold }
})

/** Folds the changes of all fields, and deletes the counts of dropped indexes; returns the number of deleted rows. */
export const foldKeyCounts = Effect.gen(function* () {
  const sql = yield* Sql
  const { fold } = yield* makeKeyCounts
  const deletedCount = yield* deleteInBatches(
    BATCH,
    sql`
      DELETE FROM record_key_counts WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM record_key_counts c
        WHERE (folded AND change = 0) OR NOT EXISTS (SELECT 1 FROM field_indexes f WHERE f.field_id = c.field_id) LIMIT ${BATCH}))
        AND (NOT folded OR change = 0 OR NOT EXISTS (SELECT 1 FROM field_indexes f WHERE f.field_id = record_key_counts.field_id))
      RETURNING 1`
  )
  const fields = yield* rowsOf(FieldId)(sql`SELECT field_id FROM field_indexes WHERE counted ORDER BY field_id`)
  const folded = yield* Effect.forEach(fields, ({ field_id }) => deleteInBatches(BATCH, fold(field_id)))
  return folded.reduce((all, one) => all + one, deletedCount)
})
