// Related records (developer-api.md 4.2): records that others point to, or that point to them, by the links of relation fields.
import { Effect, Schema } from "effect"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"

export type Direction = "forward" | "reverse" | "both"

export interface RelatedQuery {
  /** Records to start from; only those of `fromAppId` if it is given, and live ones unless `trashedToo`. */
  readonly recordIds: ReadonlyArray<number>
  /** A record in the trash keeps its relations: what deletes it may still follow them (developer-api.md 7.5). */
  readonly trashedToo?: boolean
  /** `forward`: records that they point to; `reverse`: records that point to them. */
  readonly direction: Direction
  readonly fromAppId?: number
  /** Only records of this app. */
  readonly toAppId?: number
  /** Only through these fields; left out: all. */
  readonly fieldIds?: ReadonlyArray<number>
  /** Maximum number of records of each app. */
  readonly limit: number
  /** Trashed records are no part of the answer; otherwise they count and are marked. */
  readonly liveOnly?: boolean
}

export const RelatedId = Schema.Struct({ record_id: Schema.Int, app_id: Schema.Int, live: Schema.Boolean })
export type RelatedId = typeof RelatedId.Type

export const makeRelated = Effect.map(Sql, (sql) => {
  const idList = idListOf(sql)
  const any = sql.literal("true")

  /** Reads related records without duplicates, in id order. */
  return ({
    recordIds,
    trashedToo = false,
    direction,
    fromAppId,
    toAppId,
    fieldIds,
    limit,
    liveOnly = false
  }: RelatedQuery) => {
    const through = fieldIds === undefined ? any : sql`l.field_id = ${idList(fieldIds)}`
    const side = (start: "record_id" | "target_id", end: "record_id" | "target_id") => sql`
      SELECT l.${sql(end)} AS record_id FROM record_links l JOIN records s ON s.record_id = l.${sql(start)}
      WHERE l.${sql(start)} = ${idList(recordIds)} AND ${through}
        AND ${trashedToo ? any : sql.literal("s.deleted_on IS NULL")}
        AND ${fromAppId === undefined ? any : sql`s.app_id = ${fromAppId}::bigint`}`
    const forward = side("record_id", "target_id")
    const reverse = side("target_id", "record_id")
    const reached =
      direction === "forward" ? forward : direction === "reverse" ? reverse : sql`${forward} UNION ${reverse}`
    return rowsOf(RelatedId)(sql`
      SELECT record_id, app_id, live FROM (
        SELECT r.record_id, r.app_id, r.deleted_on IS NULL AS live,
          row_number() OVER (PARTITION BY r.app_id ORDER BY r.record_id) AS n
        FROM records r WHERE r.record_id IN (${reached})
          AND ${toAppId === undefined ? any : sql`r.app_id = ${toAppId}::bigint`}
          AND ${liveOnly ? sql.literal("r.deleted_on IS NULL") : any}
      ) x WHERE n <= ${limit}::bigint ORDER BY record_id`)
  }
})
