// The SELECTs of a page of records (developer-api.md 4.2), in the order of ids, of an index or of a value. Which of them a page takes is chosen
// in ./recordSelect.ts. OFFSETs skip in the index, or over ids alone.
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { countOf } from "../../../platform/sql/rows.ts"
import { Sql, type Undecoded } from "../../../platform/sql/Sql.ts"
import type { RecordCondition } from "../fields/matching/RecordFilter.ts"
import { makeFilterSql } from "../filters/filterSql.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { bothParts, type SelectedRows } from "../reading/selectedRows.ts"
import { makeStatements } from "../writing/recordStatements.ts"
import { makeAccessPaths } from "./accessPaths.ts"
import type { Position } from "./farPlaces.ts"
import { EMPTY_KEY, type KeyedCondition, type KeyedSort } from "./fieldIndexes.ts"
import { makeSortKey, type Sort } from "./sorting.ts"

export type Order = "newest" | "oldest" | Sort

export interface Selection {
  readonly definition: AppDefinition
  readonly conditions: ReadonlyArray<RecordCondition>
  readonly order: Order
  /** Narrows further, over `records r`. */
  readonly also?: Statement.Fragment
  /** Records skipped after the position, before the first of the page. */
  readonly offset?: number
}
/** Runs a SELECT of records. */
export type Reader = (records: Undecoded) => Effect.Effect<SelectedRows, SqlError>

export const makePageSelects = Effect.gen(function* () {
  const sql = yield* Sql
  const { columns } = yield* makeStatements
  const filterSql = makeFilterSql(sql)
  const sortKey = makeSortKey(sql)
  const paths = yield* makeAccessPaths
  const { among, keys } = paths

  const where = ({ definition, conditions, also }: Omit<Selection, "order">) => sql`
    r.app_id = ${definition.app_id} AND r.deleted_on IS NULL AND ${filterSql(definition, conditions)}
    ${also === undefined ? sql.literal("") : sql`AND (${also})`}`

  /**
   * Joins the record of each key `k`, in the order of the keys. OFFSET makes Postgres look them up one by one until the page is full,
   * whatever the planner estimates.
   */
  const ofEach = (selection: Selection) => sql`
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM records r WHERE r.record_id = k.record_id AND ${where(selection)} OFFSET 0
    ) AS found`

  /** SELECT of a page in the order of record ids. `equal`: keys that an index has in this order. */
  const numbered = (
    selection: Selection,
    newest: boolean,
    after: Position | null,
    limit: number,
    few: KeyedCondition | null,
    equal: KeyedCondition | undefined
  ) => {
    const { offset = 0 } = selection
    const [direction, past] = newest ? ["DESC", "<"] : ["ASC", ">"]
    const beyond = (id: string) =>
      after === null ? sql.literal("true") : sql`${sql.literal(`${id} ${past}`)} ${after.id}::bigint`
    if (few !== null || equal === undefined || offset > 0) {
      const matchingRecords = sql`FROM records r WHERE ${where(selection)} ${among(few)}`
      const ordered = sql.literal(`ORDER BY r.record_id ${direction}`)
      const firstId = sql`(SELECT r.record_id ${matchingRecords} AND ${beyond("r.record_id")} ${ordered} OFFSET ${offset}::bigint LIMIT 1)`
      const from = offset === 0 ? beyond("r.record_id") : sql`r.record_id ${sql.literal(`${past}=`)} ${firstId}`
      return sql`SELECT ${columns} ${matchingRecords} AND ${from} ${ordered} LIMIT ${limit}::int`
    }
    return sql`
      SELECT found.* FROM (
        SELECT k.record_id FROM record_keys k WHERE ${keys(equal)} AND ${beyond("k.record_id")}
        ORDER BY k.record_id ${sql.literal(direction!)} OFFSET 0
      ) AS k ${ofEach(selection)}
      ORDER BY k.record_id ${sql.literal(direction!)} LIMIT ${limit}::int`
  }

  /** Reads a page in the order of the keys: first the keys, then the records whose field is empty. */
  const inKeyOrder = Effect.fnUntraced(function* (
    selection: Selection,
    { column, fieldId, type }: KeyedSort,
    desc: boolean,
    after: Position | null,
    limit: number,
    read: Reader
  ) {
    const key = sql.literal(`k.${column}`)
    const [direction, past] = desc ? ["DESC", "<"] : ["ASC", ">"]
    const from = after?.key ?? null
    const page = (found: Statement.Fragment, order: string, most: number, offset: number) =>
      read(sql`
        SELECT found.*, k.key::text AS sort_key FROM (
          SELECT k.record_id, ${key} AS key FROM record_keys k WHERE k.field_id = ${fieldId}::bigint AND ${found}
          ORDER BY ${sql.literal(order)} OFFSET ${offset}::bigint
        ) AS k ${ofEach(selection)}
        ORDER BY ${sql.literal(order.replace(`k.${column}`, "k.key"))} LIMIT ${most}::int`)
    const cast = sql.literal(type)
    // Starts the index scan at the first comparison.
    const beyond =
      from === null
        ? sql`${key} IS NOT NULL`
        : sql`${key} IS NOT NULL AND ${key} ${sql.literal(`${past}=`)} ${from}::${cast}
            AND (${key} ${sql.literal(past!)} ${from}::${cast} OR k.record_id > ${after!.id}::bigint)`
    const { offset = 0 } = selection
    const amongEmpty = after !== null && from === null
    const keyedPage: SelectedRows = amongEmpty
      ? { rows: [] }
      : yield* page(beyond, `k.${column} ${direction}, k.record_id`, limit, offset)
    const { length } = keyedPage.rows
    if (length === limit) return keyedPage
    // Counts keys only: a listing that begins further on has no condition, so every key is one of its records.
    const keyedCount =
      offset === 0 || amongEmpty || length > 0
        ? 0
        : yield* countOf(
            sql`SELECT count(*)::int AS n FROM record_keys k WHERE k.field_id = ${fieldId}::bigint AND ${beyond}`
          )
    const skipped = length > 0 ? 0 : offset - keyedCount
    const empty = sql.literal(EMPTY_KEY)
    const later = amongEmpty ? sql`AND k.record_id > ${after.id}::bigint` : sql.literal("")
    return bothParts(keyedPage, yield* page(sql`${empty} ${later}`, "k.record_id", limit - length, skipped))
  })

  /** SELECT of a page in the order of a value of the records. */
  const sorted = (
    selection: Selection,
    order: Sort,
    after: Position | null,
    limit: number,
    few: KeyedCondition | null,
    unlessMany = false
  ) => {
    const { offset = 0 } = selection
    const { expression, type } = sortKey(order)
    const cast = sql.literal(type)
    const [direction, past] = order.desc ? ["DESC", "<"] : ["ASC", ">"]
    const beyond =
      after === null
        ? sql.literal("true")
        : (after.key ?? null) === null
          ? sql`(s.key IS NULL AND r.record_id > ${after.id})`
          : sql`(s.key ${sql.literal(past!)} ${after.key}::${cast} OR s.key IS NULL
              OR (s.key = ${after.key}::${cast} AND r.record_id > ${after.id}))`
    const ordered = sql`ORDER BY s.key ${sql.literal(direction!)} NULLS LAST, r.record_id`
    const sortedRecords = sql`
      FROM records r CROSS JOIN LATERAL (SELECT ${expression} AS key) s
      WHERE ${where(selection)} ${among(few, unlessMany)} AND ${beyond} ${ordered}`
    if (offset === 0) return sql`SELECT ${columns}, s.key::text AS sort_key ${sortedRecords} LIMIT ${limit}::int`
    return sql`
      SELECT ${columns}, s.key::text AS sort_key
      FROM (SELECT r.record_id, s.key ${sortedRecords} OFFSET ${offset}::bigint LIMIT ${limit}::int) s JOIN records r USING (record_id)
      ${ordered}`
  }

  return { columns, filterSql, inKeyOrder, numbered, paths, sorted, where }
})
