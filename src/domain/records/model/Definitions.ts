// App definitions, cached in the process under the version that the reader's own statement saw: right in every process.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { BoundedMap } from "../../../platform/primitives/BoundedMap.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { findBatched } from "../../../platform/sql/dataLoader.ts"
import { idListOf } from "../../../platform/sql/idList.ts"
import { rowsByKey, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { Field } from "../fields/model/Field.ts"
import { type AppDefinition, type AppReader, AppRow, definitionOf } from "./AppDefinition.ts"

const MAX_CACHED = 2000

const DefinedApp = Schema.Struct({
  ...AppRow.fields,
  fields: Schema.NullOr(jsonb<ReadonlyArray<Field>>()),
  readers: Schema.NullOr(jsonb<ReadonlyArray<AppReader>>())
})

const AppVersion = Schema.Struct({ app_id: Schema.Int, version: Schema.Int })

export class Definitions extends Context.Service<
  Definitions,
  {
    /** Definition of that version, from the cache if it is there. Read the version in the same transaction, which locks the app. */
    readonly ofVersion: (appId: number, version: number) => Effect.Effect<AppDefinition>
    /** The definition for a caller that holds no lock: a newer version if there is one by now, none if the app was deleted meanwhile. */
    readonly since: (appId: number, version: number) => Effect.Effect<Option.Option<AppDefinition>>
    /** The newest version that this process has seen, perhaps not the newest there is; loads when it saw none. */
    readonly lastSeen: (appId: number) => Effect.Effect<Option.Option<AppDefinition>>
    /** Definition as this transaction sees it, bypassing the cache: for a caller that is changing it. */
    readonly read: (appId: number) => Effect.Effect<Option.Option<AppDefinition>>
    /** The definition as it is now. */
    readonly load: (appId: number) => Effect.Effect<Option.Option<AppDefinition>>
    /** Definitions as they are now, by id, of those apps of the organization that there are. */
    readonly current: (orgId: number, ids: Iterable<number>) => Effect.Effect<ReadonlyMap<number, AppDefinition>>
  }
>()("millrace/records/Definitions") {
  static readonly layer = Layer.effect(
    Definitions,
    Effect.gen(function* () {
      const sql = yield* Sql
      const cache = new BoundedMap<number, AppDefinition>(MAX_CACHED)

      const definitionsOf = rowsByKey(DefinedApp, "app_id", ({ fields, readers, ...app }) =>
        definitionOf(app, fields ?? [], readers ?? [])
      )
      const readAll = (ids: ReadonlyArray<number>) =>
        // Uses one statement, so that version and fields belong together.
        definitionsOf(sql`
            SELECT app_id, org_id, workspace_id, slug, name, item_name, description, icon, item_icon, position, version,
              (SELECT jsonb_agg(to_jsonb(f) - 'created_on' ORDER BY f.position, f.field_id)
               FROM fields f WHERE f.app_id = a.app_id) AS fields,
              (SELECT jsonb_agg(jsonb_build_object('app_id', c.app_id, 'relation_id', c.relation_id, 'members', c.members)
                 ORDER BY c.relation_id)
               FROM calculation_relations c WHERE c.read_app_id = a.app_id) AS readers
            FROM apps a WHERE app_id = ${idListOf(sql)(ids)}`).pipe(orSqlDefect)
      const oneOf = (appId: number) => (apps: ReadonlyMap<number, Effect.Effect<AppDefinition>>) =>
        Effect.transposeOption(Option.fromNullishOr(apps.get(appId)))
      const read = (appId: number) => Effect.flatMap(readAll([appId]), oneOf(appId))
      const readTogether = yield* findBatched(sql, readAll)
      const load = (appId: number) =>
        Effect.map(Effect.flatMap(readTogether([appId]), oneOf(appId)), (loaded) => {
          if (Option.isNone(loaded)) cache.delete(appId)
          // Read before another that is kept already: versions only rise.
          else if ((cache.get(appId)?.version ?? 0) <= loaded.value.version) cache.set(appId, loaded.value)
          return loaded
        })
      const lastSeen = (appId: number) => {
        const cachedApp = cache.get(appId)
        return cachedApp === undefined ? load(appId) : Effect.succeed(Option.some(cachedApp))
      }
      const since = (appId: number, version: number) => {
        const cachedApp = cache.get(appId)
        return cachedApp?.version === version ? Effect.succeed(Option.some(cachedApp)) : load(appId)
      }
      const ofVersion = (appId: number, version: number) =>
        Effect.flatMap(
          since(appId, version),
          Option.match({
            onNone: () => Effect.die(new Error(`app ${appId} went away inside the transaction that read it`)),
            onSome: Effect.succeed
          })
        )
      const current = Effect.fnUntraced(function* (orgId: number, ids: Iterable<number>) {
        const versions = yield* rowsOf(AppVersion)(sql`
          SELECT app_id, version FROM apps
          WHERE app_id = ${idListOf(sql)(ids)} AND org_id = ${orgId}`)
        const byId = new Map<number, AppDefinition>()
        for (const { app_id, version } of versions) {
          const definition = yield* since(app_id, version)
          if (Option.isSome(definition)) byId.set(app_id, definition.value)
        }
        return byId
      }, orSqlDefect)
      return Definitions.of({ ofVersion, since, lastSeen, read, load, current })
    })
  )
}
