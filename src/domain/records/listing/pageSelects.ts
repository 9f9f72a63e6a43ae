// The SELECTs of a page of records (developer-api.md 4.2), in the order of ids, of an index or of a value. Which of them a page takes is chosen
// in ./recordSelect.ts. OFFSETs skip in the index, or over ids alone.
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { countOf } from "../../../platform/sql/rows.ts"
import { Sql, type Undecoded } from "../../../platform/sql/Sql.ts"
import { makeFilterSql } from "../filters/filterSql.ts"
import { bothParts, type SelectedRows } from "../reading/selectedRows.ts"
import { makeStatements } from "../writing/recordStatements.ts"
import { makeAccessPaths } from "./accessPaths.ts"
import type { Position } from "./distantPages.ts"
import { EMPTY_KEY } from "./fieldIndexes.ts"
import type { KeyedCondition, KeyedPair, KeyedSort } from "./Keyed.ts"
import { EMPTY_PAIR_KEY } from "./pairIndexes.ts"
import { planKeeping } from "./planKeeping.ts"
import type { Selection } from "./Selection.ts"
import { makeSortKey, type Sort } from "./sorting.ts"

/** Keys in the order of a listing. */
interface KeyOrder extends Pick<KeyedSort, "column" | "type"> {
  /** FROM and WHERE of the keys `k`. */
  readonly source: Statement.Fragment
  /** Condition of the keys of records whose field is empty. */
  readonly empty: string
}
/** Runs a SELECT of records. */
export type Reader = (records: Undecoded) => Effect.Effect<SelectedRows, SqlError>

export const makePageSelects = Effect.gen(function* () {
  const sql = yield* Sql
  const { columns } = yield* makeStatements
  const filterSql = makeFilterSql(sql)
  const sortKey = makeSortKey(sql)
  const paths = yield* makeAccessPaths
  const { firstOf, firstPage, skipping } = planKeeping(sql, columns)
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
    const { also, conditions, definition, offset = 0 } = selection
    if (conditions.length === 0 && also === undefined && after === null && offset === 0)
      return firstPage(definition.app_id, newest, limit)
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

  /** Keys of a field, or of a pair. */
  const orderOf = (by: KeyedSort | KeyedPair): KeyOrder =>
    "pairId" in by
      ? {
          ...by.sort,
          source: sql`FROM record_pairs k WHERE k.pair_id = ${by.pairId}::bigint AND k.value = ${by.value}`,
          empty: EMPTY_PAIR_KEY
        }
      : { ...by, source: sql`FROM record_keys k WHERE k.field_id = ${by.fieldId}::bigint`, empty: EMPTY_KEY }

  /** Reads a page in the order of the keys: first the keys, then the records whose field is empty. */
  const inKeyOrder = Effect.fnUntraced(function* (
    selection: Selection,
    by: KeyedSort | KeyedPair,
    desc: boolean,
    after: Position | null,
    limit: number,
    read: Reader
  ) {
    const { column, empty: emptyKey, source, type } = orderOf(by)
    const key = sql.literal(`k.${column}`)
    const [direction, past] = desc ? ["DESC", "<"] : ["ASC", ">"]
    const from = after?.key ?? null
    const page = (found: Statement.Fragment, order: string, most: number, offset: number) =>
      read(
        firstOf(
          sql`
        SELECT found.*, k.key::text AS sort_key FROM (
          SELECT k.record_id, ${key} AS key ${source} AND ${found}
          ORDER BY ${sql.literal(order)} ${skipping(offset)}
        ) AS k ${ofEach(selection)}
        ORDER BY ${sql.literal(order.replace(`k.${column}`, "k.key"))}`,
          most
        )
      )
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
    // Counts keys only: a listing that begins further on has no condition but that of its keys, so every key is one of its records.
    const keyedCount =
      offset === 0 || amongEmpty || length > 0
        ? 0
        : yield* countOf(sql`SELECT count(*)::int AS n ${source} AND ${beyond}`)
    const skipped = length > 0 ? 0 : offset - keyedCount
    const empty = sql.literal(emptyKey)
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
