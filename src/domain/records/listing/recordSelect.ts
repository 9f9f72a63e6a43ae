// Live records of an app by filters and sort (developer-api.md 4.2): the one place that writes such a SELECT. Pages go on by
// key, so that a late page costs no more than an early one and none repeats or misses what did not change; who jumps says how many
// records are left out, which are stepped over in the index, or sorted as ids alone.
import { Effect, Option, Schema } from "effect"
import type { Statement } from "effect/sql"
import { NotFound } from "../../../ground/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import type { RecordCondition } from "../fields/matching/RecordFilter.ts"
import { makeFilterSql } from "../filters/filterSql.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { RecordRow } from "../model/RecordRow.ts"
import { makeStatements } from "../writing/recordStatements.ts"
import { makeLiveCount } from "./liveCount.ts"
import { makeSortKey, type Sort } from "./sorting.ts"

/** Where a page ends: the last record and, in a sorted listing, its key. */
export const Position = Schema.Struct({ id: Schema.Int, key: Schema.optionalKey(Schema.NullOr(Schema.String)) })
export type Position = typeof Position.Type

export type Order = "newest" | "oldest" | Sort

export interface Selection {
  readonly definition: AppDefinition
  readonly conditions: ReadonlyArray<RecordCondition>
  readonly order: Order
  /** Narrows further, over `records r`. */
  readonly also?: Statement.Fragment
  /** Records left out before the first, behind the position. */
  readonly offset?: number
}
export const PlacedRow = Schema.Struct({
  ...RecordRow.fields,
  sort_key: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type PlacedRow = typeof PlacedRow.Type

const AppVersion = Schema.Struct({ version: Schema.Int })

export const makeSelection = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const { columns } = yield* makeStatements
  const filterSql = makeFilterSql(sql)
  const sortKey = makeSortKey(sql)
  const live = yield* makeLiveCount
  const noApp = (appId: number) => new NotFound({ message: `No app with id ${appId}.` })

  /** The definition as it is now, from memory where this process has it. */
  const current = Effect.fnUntraced(function* (appId: number) {
    const app = yield* rowOf(AppVersion)(sql`SELECT version FROM apps WHERE app_id = ${appId}`)
    if (app === undefined) return yield* noApp(appId)
    const seen = yield* definitions.lastSeen(appId)
    const known = Option.isSome(seen) && seen.value.version === app.version ? seen : yield* definitions.load(appId)
    return Option.isSome(known) ? known.value : yield* noApp(appId)
  }, orSqlDefect)

  /** Records with this text in their title, as people see it. */
  const titled = (definition: AppDefinition, text: string) => {
    const title = sql`coalesce(r.title, ${definition.item_name}::text || ' #' || r.app_record_id)`
    return sql`strpos(lower(${title}), lower(${text}::text)) > 0`
  }

  const where = ({ definition, conditions, also }: Selection) => sql`
    r.app_id = ${definition.app_id} AND r.deleted_on IS NULL AND ${filterSql(definition, conditions)}
    ${also === undefined ? sql.literal("") : sql`AND (${also})`}`

  const count = (selection: Selection) =>
    selection.conditions.length === 0 && selection.also === undefined
      ? live.of(selection.definition.app_id)
      : countOf(sql`SELECT count(*)::int AS n FROM records r WHERE ${where(selection)}`)

  /** At most `limit` records, from the beginning or after a position. */
  const rows = (selection: Selection, after: Position | null, limit: number) => {
    const { offset = 0, order } = selection
    if (typeof order === "string") {
      const newest = order === "newest"
      const beyond =
        after === null ? sql.literal("true") : newest ? sql`r.record_id < ${after.id}` : sql`r.record_id > ${after.id}`
      const ordered = sql`ORDER BY r.record_id ${sql.literal(newest ? "DESC" : "ASC")}`
      const first = sql`(SELECT r.record_id FROM records r WHERE ${where(selection)} AND ${beyond} ${ordered}
        OFFSET ${offset}::bigint LIMIT 1)`
      const from = offset === 0 ? beyond : newest ? sql`r.record_id <= ${first}` : sql`r.record_id >= ${first}`
      return rowsOf(PlacedRow)(sql`
        SELECT ${columns} FROM records r WHERE ${where(selection)} AND ${from} ${ordered} LIMIT ${limit}::int`)
    }
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
    const found = sql`
      FROM records r CROSS JOIN LATERAL (SELECT ${expression} AS key) s WHERE ${where(selection)} AND ${beyond} ${ordered}`
    if (offset === 0)
      return rowsOf(PlacedRow)(sql`SELECT ${columns}, s.key::text AS sort_key ${found} LIMIT ${limit}::int`)
    return rowsOf(PlacedRow)(sql`
      SELECT ${columns}, s.key::text AS sort_key
      FROM (SELECT r.record_id, s.key ${found} OFFSET ${offset}::bigint LIMIT ${limit}::int) s JOIN records r USING (record_id)
      ${ordered}`)
  }

  return { current, count, rows, columns, filterSql, titled }
})
