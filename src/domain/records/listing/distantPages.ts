// Finds the start of a page of an app's complete listing if its offset is past the middle (developer-api.md 4.2). Counts from the end, so
// that no jump steps over more than half of the records. Uses one statement, since its snapshot must also give the total.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { EMPTY_KEY } from "./fieldIndexes.ts"
import type { KeyedSort } from "./Keyed.ts"
import { makeLiveCount } from "./liveCount.ts"

/** End of a page: the last record and, in a sorted listing, its key. */
export const Position = Schema.Struct({ id: Schema.Int, key: Schema.optionalKey(Schema.NullOr(Schema.String)) })
export type Position = typeof Position.Type

const Found = Schema.Struct({ record_id: Schema.Int, key: Schema.NullOr(Schema.String) })

export const makeDistantPages = Effect.gen(function* () {
  const sql = yield* Sql
  const live = yield* makeLiveCount
  const empty = sql.literal(EMPTY_KEY)

  /** True if the end is nearer. The statements below read the total again, in their own snapshots. */
  const isFar = (appId: number, offset: number) => Effect.map(live.of(appId), (total) => offset > total / 2)

  /** `behind`: number of records from the first of the page to the end. @param before records up to and including the position */
  const remainingCount = (appId: number, offset: number, before: Statement.Fragment) => sql`
    behind AS MATERIALIZED (
      SELECT greatest(0, coalesce(sum(change), 0) - ${before} - ${offset}::bigint)::bigint AS n FROM record_counts WHERE app_id = ${appId}
    )`

  /** Position before the page in a listing ordered by record id; null if no record is left. */
  const numbered = Effect.fnUntraced(function* (
    appId: number,
    newest: boolean,
    after: Position | null,
    offset: number
  ) {
    const fromRecords = sql`FROM records r WHERE r.app_id = ${appId} AND r.deleted_on IS NULL`
    const comparator = sql.literal(newest ? ">=" : "<=")
    const passedCount =
      after === null ? sql`0` : sql`(SELECT count(*) ${fromRecords} AND r.record_id ${comparator} ${after.id}::bigint)`
    const positionRow = yield* rowOf(Found)(sql`
      WITH ${remainingCount(appId, offset, passedCount)}
      SELECT r.record_id, NULL AS key ${fromRecords} ORDER BY r.record_id ${sql.literal(newest ? "ASC" : "DESC")}
      OFFSET (SELECT greatest(0, n - 1) FROM behind) LIMIT (SELECT least(1, n) FROM behind)`)
    return positionRow === undefined ? null : { id: positionRow.record_id + (newest ? 1 : -1) }
  })

  /**
   * Position before the page in a listing ordered by keys, after a position among them: first the keys, then the records whose field is
   * empty.
   */
  const keyed = Effect.fnUntraced(function* (
    appId: number,
    { column, fieldId, type }: KeyedSort,
    desc: boolean,
    after: Position | null,
    offset: number
  ) {
    const key = sql.literal(`k.${column}`)
    const fromKeys = sql`FROM record_keys k WHERE k.field_id = ${fieldId}::bigint`
    const lastKey = sql`${after?.key ?? null}::${sql.literal(type)}`
    const passedCount =
      after === null
        ? sql`0`
        : sql`((SELECT count(*) ${fromKeys} AND ${key} ${sql.literal(desc ? ">" : "<")} ${lastKey})
            + (SELECT count(*) ${fromKeys} AND ${key} = ${lastKey} AND k.record_id <= ${after.id}::bigint))`
    const positionRow = yield* rowOf(Found)(sql`
      WITH ${remainingCount(appId, offset, passedCount)}, bare AS MATERIALIZED (
        SELECT count(*) AS n FROM (SELECT 1 ${fromKeys} AND ${empty} LIMIT (SELECT n FROM behind)) AS few
      ), place AS MATERIALIZED (
        SELECT CASE WHEN bare.n < behind.n THEN behind.n - bare.n ELSE 0 END AS keyed,
          CASE WHEN bare.n < behind.n THEN 0 ELSE behind.n END AS bare FROM behind, bare
      )
      SELECT found.record_id, found.key::text AS key FROM (
        SELECT k.record_id, ${key} AS key ${fromKeys} AND ${key} IS NOT NULL
        ORDER BY ${key} ${sql.literal(desc ? "ASC" : "DESC")}, k.record_id DESC
        OFFSET (SELECT greatest(0, keyed - 1) FROM place) LIMIT (SELECT least(1, keyed) FROM place)) AS found
      UNION ALL
      (SELECT k.record_id, NULL ${fromKeys} AND ${empty} ORDER BY k.record_id DESC
        OFFSET (SELECT greatest(0, bare - 1) FROM place) LIMIT (SELECT least(1, bare) FROM place))`)
    return positionRow === undefined ? null : { id: positionRow.record_id - 1, key: positionRow.key }
  })

  return { isFar, numbered, keyed }
})
