// Views let go of a field that is deleted, or that has a type which no longer fits its place (developer-api.md 11.4, 11.6). Runs in the
// transaction of the change, which has locked the app.
import { Effect } from "effect"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Field } from "../fields/model/Field.ts"
import { type LookPlace, lookPlaces, unfitPlaces } from "./viewLook.ts"

export const makeFieldReleases = Effect.map(Sql, (sql) => {
  const release = Effect.fnUntraced(function* (
    appId: number,
    fieldIds: ReadonlyArray<number>,
    members: ReadonlyArray<LookPlace | "columns">
  ) {
    if (members.length === 0) return
    const ids = sql`(${fieldIds.map(String)}::text[]::bigint[])`
    const kept = {
      columns: sql`(SELECT coalesce(jsonb_agg(e ORDER BY n), '[]') FROM jsonb_array_elements(columns) WITH ORDINALITY AS t (e, n)
        WHERE (e->>'field_id')::bigint <> ALL ${ids})`,
      calendar_field_ids: sql`(SELECT coalesce(jsonb_agg(e ORDER BY n), '[]')
        FROM jsonb_array_elements(calendar_field_ids) WITH ORDINALITY AS t (e, n) WHERE (e #>> '{}')::bigint <> ALL ${ids})`
    }
    const changes = members.map((member) =>
      member === "columns" || member === "calendar_field_ids"
        ? sql`${sql(member)} = ${kept[member]}`
        : sql`${sql(member)} = CASE WHEN ${sql(member)} <> ALL ${ids} THEN ${sql(member)} END`
    )
    yield* sql`UPDATE views SET ${sql.csv(changes)} WHERE app_id = ${appId}`
  })
  return {
    ofDeleted: (appId: number, fieldIds: ReadonlyArray<number>) => release(appId, fieldIds, ["columns", ...lookPlaces]),
    /** @param field as it has become */
    ofConverted: (field: Field) => release(field.app_id, [field.field_id], unfitPlaces(field))
  }
})
