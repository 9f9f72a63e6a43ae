// Which apps the calculations of an app read (developer-api.md 11.3), kept beside its definition so that the writes of those apps know it.
import { Effect, Option, Schema } from "effect"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { readsRelated } from "../calculations/calculationPlan.ts"
import { followedRelations } from "../calculations/followedRelations.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { makeRecalculations } from "../recalculation/recalculations.ts"
import { AppsUnlocked, makeAppLocks } from "./appLocks.ts"

const ReadApp = Schema.Struct({
  relation_id: Schema.Int,
  read_app_id: Schema.Int,
  members: Schema.Array(Schema.String)
})
type ReadApp = typeof ReadApp.Type

const keyOf = ({ members, read_app_id, relation_id }: ReadApp) => JSON.stringify([relation_id, read_app_id, members])

/** Fields that the definition reads, by app. */
const readAppsOf = (definition: AppDefinition): ReadonlyArray<ReadApp> =>
  [...followedRelations(definition)].flatMap(([{ field_id, settings }, members]) =>
    [...new Set(settings.referenced_apps.map(({ app_id }) => app_id))].map((read_app_id) => ({
      relation_id: field_id,
      read_app_id,
      members: [...members].sort()
    }))
  )

export const makeCalculationSources = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const idList = idListOf(sql)

  /** Definitions as this transaction sees them, of the apps that there are. */
  const readAll = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
    const read = yield* Effect.forEach(ids, (id) => definitions.read(id))
    return read.flatMap((one) => (Option.isSome(one) ? [one.value] : []))
  })

  /**
   * Notes what the app reads. Returns the app as it is then.
   * @param locked apps that the transaction has locked: those that are read otherwise from now on have no writes under way
   */
  const sync = Effect.fnUntraced(function* (app: AppDefinition, locked: ReadonlySet<number>) {
    const readApps = readAppsOf(app)
    const storedApps = yield* rowsOf(ReadApp)(sql`
      SELECT relation_id, read_app_id, members FROM calculation_relations WHERE app_id = ${app.app_id}`)
    const [before, after] = [new Set(storedApps.map(keyOf)), new Set(readApps.map(keyOf))]
    const changed = new Set(
      [...storedApps.filter((one) => !after.has(keyOf(one))), ...readApps.filter((one) => !before.has(keyOf(one)))].map(
        ({ read_app_id }) => read_app_id
      )
    )
    if (changed.size === 0) return app
    const missing = [...changed].filter((id) => id !== app.app_id && !locked.has(id))
    if (missing.length > 0) return yield* new AppsUnlocked({ ids: missing })
    yield* sql`DELETE FROM calculation_relations WHERE app_id = ${app.app_id}`
    yield* sql`
      INSERT INTO calculation_relations (relation_id, read_app_id, app_id, members)
      SELECT x.relation_id, x.read_app_id, ${app.app_id}::bigint, x.members
      FROM jsonb_to_recordset(${JSON.stringify(readApps)}::jsonb) AS x (relation_id bigint, read_app_id bigint, members text[])
      JOIN apps a ON a.app_id = x.read_app_id WHERE a.org_id = ${app.org_id}`
    yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${idList(changed)} AND app_id <> ${app.app_id}`
    return changed.has(app.app_id) ? (yield* readAll([app.app_id]))[0]! : app
  })

  return { readAll, sync }
})

const AppId = Schema.Struct({ app_id: Schema.Int })

/** Notes what all apps of an organization read, once its definitions are imported, and begins to calculate those that read others. */
export const syncImported = Effect.fnUntraced(function* (orgId: number) {
  const sql = yield* Sql
  const { readAll, sync } = yield* makeCalculationSources
  const { lockApps } = makeAppLocks(sql)
  const recalculations = makeRecalculations(sql, yield* Jobs)
  const ids = yield* rowsOf(AppId)(sql`
    SELECT DISTINCT a.app_id FROM apps a JOIN fields f USING (app_id)
    WHERE a.org_id = ${orgId} AND f.field_type = 'calculation' AND f.settings->>'expression' LIKE '%related%' ORDER BY a.app_id`)
  for (const app of yield* readAll(ids.map(({ app_id }) => app_id))) {
    if (!readsRelated(app)) continue
    const locked = new Set(readAppsOf(app).map(({ read_app_id }) => read_app_id))
    yield* lockApps(locked)
    yield* recalculations.begin("operator", yield* sync(app, locked))
  }
})
