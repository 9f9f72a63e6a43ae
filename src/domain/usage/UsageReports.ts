// Lists the uses of a field or an app before it is removed: what would be deleted with it, and what in other apps would break
// (developer-api.md 3.1, 7.2). Uses in other apps are named to callers who administer these apps, and counted for all others.
import { Context, Effect, Layer, Schema } from "effect"
import { countOf, rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { type CallerShape, soleUserOf } from "../accounts/Caller.ts"
import { makeReachableApps } from "../accounts/reachableApps.ts"
import { viewExistsFor } from "../records/model/privateViews.ts"
import { type AppUsage, type FieldUsage, UseRows } from "./usageSchemas.ts"

const SeenView = Schema.Struct({ ...UseRows.views.fields, seen: Schema.Boolean })

const OwnParts = Schema.Struct({
  records: Schema.Int,
  trashed_records: Schema.Int,
  comments: Schema.Int,
  views: Schema.Int,
  hooks: Schema.Int,
  own_automations: Schema.Int
})

export class UsageReports extends Context.Service<
  UsageReports,
  {
    /** Usage of the grant's field. */
    readonly ofField: (grant: AccessGrant) => Effect.Effect<FieldUsage>
    readonly ofApp: (grant: AccessGrant) => Effect.Effect<AppUsage>
  }
>()("millrace/usage/UsageReports") {
  static readonly layer = Layer.effect(
    UsageReports,
    Effect.gen(function* () {
      const sql = yield* Sql
      const reachable = makeReachableApps(sql)
      const named = sql.literal("x.automation_id, x.name, x.app_id, a.name AS app_name")
      const live = sql.literal("FROM automations x JOIN apps a USING (app_id) WHERE x.deleted_on IS NULL")

      /** Splits automations: named in apps that the caller administers, counted elsewhere. */
      const splitAutomations = Effect.fnUntraced(function* (
        caller: CallerShape,
        rows: ReadonlyArray<typeof UseRows.automations.Type>
      ) {
        const administered = new Set((yield* reachable(caller, 5)).map(({ app_id }) => app_id))
        const automations = rows.filter(({ app_id }) => administered.has(app_id))
        return { automations, other_automations: rows.length - automations.length, administered }
      })

      const ofField = Effect.fn("UsageReports.ofField")(function* ({ appId, caller, id }: AccessGrant) {
        const records = yield* countOf(sql`
          SELECT count(*)::int AS n FROM records WHERE app_id = ${appId} AND cells ? ${String(id)}::text`)
        const allViews = yield* rowsOf(SeenView)(sql`
          SELECT view_id, name, ${viewExistsFor(sql, soleUserOf(caller))} AS seen FROM views WHERE app_id = ${appId}
            AND (${id}::bigint IN (sort_by, group_by, board_field_id, cover_field_id) OR calendar_field_ids @> to_jsonb(${id}::bigint)
              OR filters @> jsonb_build_array(jsonb_build_object('field_id', ${id}::bigint)))
          ORDER BY view_id`)
        const views = allViews.filter(({ seen }) => seen).map(({ name, view_id }) => ({ view_id, name }))
        const hooks = yield* rowsOf(UseRows.hooks)(sql`
          SELECT hook_id, host FROM hooks WHERE app_id = ${appId}
            AND (only_fields @> to_jsonb(${id}::bigint)
              OR jsonb_path_exists(filter, '$.**.field_id ? (@ == $id)', jsonb_build_object('id', ${id}::bigint)))
          ORDER BY hook_id`)
        const users = yield* rowsOf(UseRows.automations)(sql`
          SELECT ${named} ${live} AND x.field_ids @> ARRAY[${id}::bigint] ORDER BY x.automation_id`)
        const { automations, other_automations } = yield* splitAutomations(caller, users)
        const other_views = allViews.length - views.length
        return { field_id: id, records, views, other_views, automations, other_automations, hooks }
      }, orSqlDefect)

      const ofApp = Effect.fn("UsageReports.ofApp")(function* ({ appId, caller }: AccessGrant) {
        const ownParts = yield* rowOf(OwnParts)(sql`
          SELECT (SELECT count(*)::int FROM records WHERE app_id = ${appId} AND deleted_on IS NULL) AS records,
            (SELECT count(*)::int FROM records WHERE app_id = ${appId} AND deleted_on IS NOT NULL) AS trashed_records,
            (SELECT count(*)::int FROM comments WHERE app_id = ${appId}) AS comments,
            (SELECT count(*)::int FROM views WHERE app_id = ${appId}) AS views,
            (SELECT count(*)::int FROM hooks WHERE app_id = ${appId}) AS hooks,
            (SELECT count(*)::int FROM automations WHERE app_id = ${appId} AND deleted_on IS NULL) AS own_automations`)
        const users = yield* rowsOf(UseRows.automations)(sql`
          SELECT ${named} ${live} AND x.app_id <> ${appId} AND (x.app_ids @> ARRAY[${appId}::bigint]
            OR x.field_ids && ARRAY(SELECT field_id FROM fields WHERE app_id = ${appId})) ORDER BY x.automation_id`)
        const { administered, ...of } = yield* splitAutomations(caller, users)
        const pointing = yield* rowsOf(UseRows.relations)(sql`
          SELECT f.field_id, f.label, f.app_id, a.name AS app_name FROM fields f JOIN apps a USING (app_id)
          WHERE a.org_id = ${caller.orgId} AND f.app_id <> ${appId}
            AND f.settings->'referenced_apps' @> jsonb_build_array(jsonb_build_object('app_id', ${appId}::bigint))
          ORDER BY f.field_id`)
        return {
          app_id: appId,
          ...ownParts!,
          ...of,
          relations: pointing.filter(({ app_id }) => administered.has(app_id))
        }
      }, orSqlDefect)

      return UsageReports.of({ ofField, ofApp })
    })
  )
}
