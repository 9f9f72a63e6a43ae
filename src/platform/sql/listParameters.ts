// Passes lists to statements in a form that is planned once. A list in JSON has for the planner the length of the LIMIT behind it. With an
// array it would learn the length each time and plan anew, which costs a short statement more than its work.
import type { Statement } from "effect/sql"
import type { Sql } from "./Sql.ts"

/** Sizes of lists that statements are prepared for. */
const SIZES = [1, 8, 64, 512]

const sizeOf = (count: number) => SIZES.find((size) => size >= count) ?? count

/** Names the shape of a statement with lists of these lengths; undefined beyond the prepared sizes. */
export const sizesOf = (...counts: ReadonlyArray<number>) => {
  const sizes = counts.map(sizeOf)
  return sizes.every((size) => SIZES.includes(size)) ? sizes.join(" ") : undefined
}

/** Bounds the rows that the planner expects: it assumes a hundred of a function, and reads whole tables for one otherwise. */
export const atMost = (sql: Sql, count: number, rows: Statement.Fragment, name = "x") =>
  sql`(SELECT * FROM ${rows} LIMIT ${sql.literal(String(sizeOf(count)))}) AS ${sql.literal(name)}`

/** `x IN ${idListParameter(sql, ids)}`. */
export const idListParameter = (sql: Sql, ids: ReadonlyArray<number>) =>
  listParameter(sql, ids.length, JSON.stringify(ids))

/** List as `idListParameter`, from JSON, or from a placeholder for it, of so many entries. */
export const listParameter = (sql: Sql, count: number, list: unknown) =>
  sql`(SELECT x.e::bigint FROM ${atMost(sql, count, sql`jsonb_array_elements(${list}::jsonb) AS j (e)`)})`
