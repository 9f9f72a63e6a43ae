// Records for the service's own use, as rows with their definition: the ones that automations collect (service.md `collect_*`,
// developer-api.md 7.6). Checks no rights. Trashed records are invisible (4.3 rule 6).
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import type { Statement } from "effect/sql"
import { NotFound } from "../../../platform/primitives/errors.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { FilterContext } from "../fields/matching/filterTests.ts"
import type { RecordFilters } from "../fields/matching/RecordFilter.ts"
import { resolveFilters } from "../filters/resolveFilters.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { viewExistsFor } from "../model/privateViews.ts"
import { RecordRow } from "../model/RecordRow.ts"
import type { DefinedRecord } from "../reading/Records.ts"
import { type Direction, makeRelated } from "./linkedRecords.ts"
import { makeSelection } from "./recordSelect.ts"
import type { Order } from "./Selection.ts"

/** Records of one app. */
export interface RecordSet {
  readonly definition: AppDefinition
  readonly records: ReadonlyArray<RecordRow>
}

export interface RecordNarrowing {
  /** A condition over the table alias `r` (`records`): `r.cells`, `r.app_record_id`, `r.created_on`, … */
  readonly where?: Statement.Fragment
  /** Only records with a greater id: for going on after a chunk, in id order only. */
  readonly afterId?: number
  /** Maximum number of records. */
  readonly limit: number
}

/** Reader of a view: the user of `include_active_user`, and the zone for relative dates. */
export interface ViewReader {
  readonly userId: number
  /** An IANA zone; left out: UTC. */
  readonly zone?: string
}

export interface RelatedTo {
  readonly recordIds: ReadonlyArray<number>
  /** `forward`: records that they point to; `reverse`: records that point to them. */
  readonly direction: Direction
  /** Left out: related records of every app. */
  readonly appId?: number
  /** Only through these relation fields; left out: all. */
  readonly fieldIds?: ReadonlyArray<number>
  /** Maximum number of records of each app. */
  readonly limit: number
}

export class RecordQueries extends Context.Service<
  RecordQueries,
  {
    /** The app's current definition, from the cache if this process has it; fails if there is no such app. */
    readonly definition: (appId: number) => Effect.Effect<AppDefinition, NotFound>
    /** Records of an app, ascending by id. Narrow in SQL as far as possible; evaluate the rest on the rows. */
    readonly collect: (appId: number, narrowing: RecordNarrowing) => Effect.Effect<RecordSet, NotFound>
    /** Records of a view of the app, in its order (newest first if it has none). Fails if the app has no such view for the reader. */
    readonly ofView: (
      appId: number,
      viewId: number,
      viewer: ViewReader,
      narrowing: Omit<RecordNarrowing, "afterId">
    ) => Effect.Effect<RecordSet, NotFound>
    /** Related live records, without duplicates, one set per app, each in id order. */
    readonly related: (query: RelatedTo) => Effect.Effect<ReadonlyArray<RecordSet>>
    /** Live records by id, in the order of the ids; unknown and trashed ones are left out. They may be of several apps. */
    readonly byIds: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<DefinedRecord>>
  }
>()("millrace/records/RecordQueries") {
  static readonly layer = Layer.effect(
    RecordQueries,
    Effect.suspend(() => make)
  )
}

const SavedView = Schema.Struct({
  filters: jsonb<RecordFilters>(),
  sort_by: Schema.NullOr(Schema.Int),
  sort_desc: Schema.Boolean
})

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const selection = yield* makeSelection
  const reached = yield* makeRelated

  const selected = (
    definition: AppDefinition,
    filters: ReturnType<typeof conditionsOf>,
    order: Order,
    { where, afterId, limit }: RecordNarrowing
  ) =>
    Effect.map(
      selection.rows(
        { definition, conditions: filters, order, ...(where === undefined ? {} : { also: where }) },
        afterId === undefined ? null : { id: afterId },
        limit
      ),
      (rows): RecordSet => ({ definition, records: rows.map(({ sort_key: _, ...row }) => row) })
    )

  const conditionsOf = (definition: AppDefinition, filters: RecordFilters, context: FilterContext) => {
    const resolved = resolveFilters(definition, filters, context)
    if (Result.isFailure(resolved)) throw new Error(`a stored view does not resolve: ${resolved.failure}`)
    return resolved.success.conditions
  }

  const collect = Effect.fn("RecordQueries.collect")(function* (appId: number, narrowing: RecordNarrowing) {
    return yield* selected(yield* selection.current(appId), [], "oldest", narrowing)
  }, orSqlDefect)

  const ofView = Effect.fn("RecordQueries.ofView")(function* (
    appId: number,
    viewId: number,
    viewer: ViewReader,
    narrowing: Omit<RecordNarrowing, "afterId">
  ) {
    const definition = yield* selection.current(appId)
    const view = yield* rowOf(SavedView)(sql`
        SELECT filters, sort_by, sort_desc FROM views WHERE view_id = ${viewId} AND app_id = ${appId} AND ${viewExistsFor(sql, viewer.userId)}`)
    if (view === undefined) return yield* new NotFound({ message: `App ${appId} has no view ${viewId}.` })
    const { userId, zone = "UTC" } = viewer
    const nowMillis = yield* Clock.currentTimeMillis
    const conditions = conditionsOf(definition, view.filters, { userId, now: nowMillis, zone, stored: true })
    const field = view.sort_by === null ? undefined : definition.byId.get(view.sort_by)
    const order = field === undefined ? "newest" : { by: field, desc: view.sort_desc }
    return yield* selected(definition, conditions, order, narrowing)
  }, orSqlDefect)

  const byIds = Effect.fn("RecordQueries.byIds")(function* (ids: ReadonlyArray<number>) {
    if (ids.length === 0) return []
    const rows = yield* rowsOf(RecordRow)(sql`
        SELECT ${selection.columns} FROM records r
        WHERE r.record_id = ANY(${ids.map(String)}::text[]::bigint[]) AND r.deleted_on IS NULL`)
    const definitions = new Map<number, AppDefinition>()
    for (const appId of new Set(rows.map((row) => row.app_id))) {
      const loadedApp = yield* Effect.option(selection.current(appId))
      if (loadedApp._tag === "Some") definitions.set(appId, loadedApp.value)
    }
    const byId = new Map(rows.map((row) => [row.record_id, row]))
    return ids.flatMap((id) => {
      const record = byId.get(id)
      const definition = record === undefined ? undefined : definitions.get(record.app_id)
      return record === undefined || definition === undefined ? [] : [{ record, definition }]
    })
  }, orSqlDefect)

  const related = Effect.fn("RecordQueries.related")(function* ({
    recordIds,
    direction,
    appId,
    fieldIds,
    limit
  }: RelatedTo) {
    const relatedRows = yield* reached({
      recordIds,
      direction,
      ...(appId === undefined ? {} : { toAppId: appId }),
      ...(fieldIds === undefined ? {} : { fieldIds }),
      limit,
      liveOnly: true
    })
    const sets = new Map<number, { definition: AppDefinition; records: Array<RecordRow> }>()
    for (const { record, definition } of yield* byIds(relatedRows.map((row) => row.record_id))) {
      const set = sets.get(definition.app_id)
      if (set === undefined) sets.set(definition.app_id, { definition, records: [record] })
      else set.records.push(record)
    }
    return [...sets.values()]
  }, orSqlDefect)

  return RecordQueries.of({ definition: selection.current, collect, ofView, related, byIds })
})
