// Finds the records that a reference means (developer-api.md 7.4 flags, 7.6 collections; decisions A13). Each is read once per step.
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { BoundedMap } from "../../../platform/primitives/BoundedMap.ts"
import { findBatched } from "../../../platform/sql/dataLoader.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { inTransaction } from "../../../platform/sql/transact.ts"
import type { Field } from "../../records/fields/model/Field.ts"
import type { AppDefinition } from "../../records/model/AppDefinition.ts"
import { Definitions } from "../../records/model/Definitions.ts"
import type { RecordState, RunFacts, RunScope, Seen } from "../model/RunScope.ts"
import { needs } from "../model/RunVisibility.ts"
import type { StepFailed } from "../model/StepFailed.ts"
import { inMoment } from "../model/sharedReads.ts"

/** Records that a reference reads: one, or all of a collection. */
export interface Source {
  readonly records: ReadonlyArray<RecordState>
  readonly list: boolean
}
const none: Source = { records: [], list: false }
const single = (record: RecordState | null): Source => (record === null ? none : { records: [record], list: false })

export interface Flags {
  readonly previous?: boolean
  readonly collection?: boolean
  readonly triggering?: boolean
}

/**
 * Role of a reference. `subject`: the compared side of a match condition, which means the collected record unless a flag says otherwise
 * (A13).
 */
export type Role = "subject" | "value"

const AppOfField = Schema.Struct({ app_id: Schema.Int })

const AppVersion = Schema.Struct({ app_id: Schema.Int, version: Schema.Int })

export class Sources extends Context.Service<
  Sources,
  {
    /** @param appId the app of the record, if the reference determines it */
    readonly of: (
      flags: Flags,
      appId: number | undefined,
      scope: RunScope,
      role: Role
    ) => Effect.Effect<Source, StepFailed | SqlError>
    /** Returns the app of a field; undefined if there is no such field. */
    readonly appOfField: (fieldId: number) => Effect.Effect<number | undefined, SqlError>
    /** Returns the present definition, read at most once per step. Null if the app was deleted. */
    readonly definition: (appId: number, scope: RunScope) => Effect.Effect<AppDefinition | null, SqlError>
    /** Returns a field as this process last read it: its type never changes, its settings may have. */
    readonly knownField: (fieldId: number, appId: number, scope: RunScope) => Effect.Effect<Field | undefined, SqlError>
    readonly record: (recordId: number, scope: RunScope) => Seen<RecordState | null>
  }
>()("millrace/automations/values/Sources") {
  static readonly layer = Layer.effect(
    Sources,
    Effect.gen(function* () {
      const sql = yield* Sql
      const definitions = yield* Definitions

      // A field never moves to another app.
      const apps = new BoundedMap<number, number>(50_000)
      const appOfField = Effect.fnUntraced(function* (fieldId: number) {
        const cachedAppId = apps.get(fieldId)
        if (cachedAppId !== undefined) return cachedAppId
        const row = yield* rowOf(AppOfField)(sql`SELECT app_id FROM fields WHERE field_id = ${fieldId}`)
        if (row !== undefined) apps.set(fieldId, row.app_id)
        return row?.app_id
      })

      const versions = (ids: ReadonlyArray<number>) =>
        Effect.map(
          rowsOf(AppVersion)(sql`
            SELECT app_id, version FROM apps WHERE app_id = ANY(${ids.map(String)}::text[]::bigint[])`),
          (rows) => new Map(rows.map(({ app_id, version }) => [app_id, version]))
        )
      const versionsTogether = yield* findBatched(sql, versions)
      const versionOf = Effect.fnUntraced(function* (appId: number) {
        const readVersions = (yield* inTransaction(sql))
          ? inMoment(`version ${appId}`, versions([appId]))
          : versionsTogether([appId])
        return (yield* readVersions).get(appId)
      })
      const read = new WeakMap<RunFacts, Map<number, AppDefinition | null>>()
      const definition = Effect.fnUntraced(function* (appId: number, scope: RunScope) {
        const cache = read.get(scope.run) ?? new Map<number, AppDefinition | null>()
        read.set(scope.run, cache)
        const cachedDefinition = cache.get(appId)
        if (cachedDefinition !== undefined) return cachedDefinition
        const version = scope.appVersion?.app_id === appId ? scope.appVersion.version : yield* versionOf(appId)
        const currentDefinition = version === undefined ? null : yield* definitions.ofVersion(appId, version)
        cache.set(appId, currentDefinition)
        return currentDefinition
      })

      const knownField = Effect.fnUntraced(function* (fieldId: number, appId: number, scope: RunScope) {
        const lastSeenField = Option.getOrUndefined(yield* definitions.lastSeen(appId))?.byId.get(fieldId)
        return lastSeenField ?? (yield* definition(appId, scope))?.byId.get(fieldId)
      })

      const recordCaches = new WeakMap<RunFacts, Map<number, RecordState | null>>()
      const record = Effect.fnUntraced(function* (recordId: number, scope: RunScope) {
        const cache = recordCaches.get(scope.run) ?? new Map<number, RecordState | null>()
        recordCaches.set(scope.run, cache)
        const cachedRecord = cache.get(recordId)
        if (cachedRecord !== undefined) return cachedRecord
        const [found = null] = yield* scope.records([recordId])
        cache.set(recordId, found)
        return found
      })

      /** Returns the innermost current item that is a record of the app. */
      const loopItem = Effect.fnUntraced(function* (appId: number | undefined, scope: RunScope) {
        for (const { item } of scope.loops.toReversed()) {
          if (item.type !== "record") continue
          const itemRecord = yield* record(item.record_id, scope)
          if (itemRecord !== null && (appId === undefined || itemRecord.app_id === appId)) return itemRecord
        }
        return null
      })

      const collection = Effect.fnUntraced(function* (appId: number | undefined, scope: RunScope) {
        const output = yield* scope.output("record_collection", appId)
        if (output?.type !== "record_collection") return null
        const records = yield* scope.records(output.record_ids)
        return { records: records.filter((it) => it.deleted_on === null), list: true } satisfies Source
      })

      const find = Effect.fnUntraced(function* (flags: Flags, appId: number | undefined, scope: RunScope, role: Role) {
        if (flags.previous === true) return single(yield* scope.previous)
        if (flags.triggering === true) return single(yield* scope.triggering)
        const { collected } = scope
        const isCollected = collected !== null && (appId === undefined || collected.app_id === appId)
        if (flags.collection === true || role === "subject") {
          if (isCollected) return single(collected)
        }
        if (flags.collection === true) {
          const item = yield* loopItem(appId, scope)
          if (item !== null) return single(item)
          return (yield* collection(appId, scope)) ?? none
        }
        if (appId === undefined || appId === scope.automation.app_id) {
          const current = yield* scope.current
          if (current !== null) return single(current)
        }
        const item = yield* loopItem(appId, scope)
        if (item !== null) return single(item)
        if (isCollected) return single(collected)
        return (yield* collection(appId, scope)) ?? none
      })

      /** The author can see the returned records; reading their cells also needs the scope within the reach. */
      const sourceOf: Sources["Service"]["of"] = (flags, appId, scope, role) =>
        Effect.tap(find(flags, appId, scope, role), ({ records }) =>
          records.length === 0 ? Effect.void : needs(scope, "records:read")
        )

      return Sources.of({ of: sourceOf, appOfField, definition, knownField, record })
    })
  )
}
