// Collect steps (service.md 2.7, developer-api.md 7.6): an app's records, a view's, related ones. Each is capped at 1000 whatever its limit.
import { Clock, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { formatDate } from "../../../../ground/primitives/dates.ts"
import type { RecordFilters } from "../../../records/fields/matching/RecordFilter.ts"
import { resolveFilters } from "../../../records/filters/resolveFilters.ts"
import { makeSelection } from "../../../records/listing/recordSelect.ts"
import { type Step, success } from "../../model/Step.ts"
import { Sources } from "../../values/resolveSource.ts"
import { currentRecord, failed, prepared, type StepOf } from "../runtime.ts"
import { AppRecords } from "./AppRecords.ts"
import { COLLECTED_AT_MOST, Collections } from "./Collections.ts"
import { Mutations } from "./Mutations.ts"

const limitOf = ({ limit, limit_enabled }: { readonly limit: number; readonly limit_enabled: boolean }) =>
  limit_enabled ? Math.min(limit, COLLECTED_AT_MOST) : COLLECTED_AT_MOST

/** The definition of an app that the owner may see. */
const appOf = Effect.fnUntraced(function* (step: Step, appId: number | undefined) {
  const sources = yield* Sources
  const mutations = yield* Mutations
  if (appId === undefined) return yield* failed("No app is set.")
  const definition = yield* sources.definition(appId, step)
  const visible = definition !== null && (yield* mutations.mayRead(step, appId))
  return visible ? definition : yield* failed(`There is no app ${appId}.`)
})
const dependencies = Effect.context<Sources | Mutations>()

export const collectAppRecords = Effect.gen(function* () {
  const records = yield* AppRecords
  const collections = yield* Collections
  const context = yield* dependencies
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"collect_app_records">) {
      const definition = yield* Effect.provideContext(appOf(step, step.config.app_id), context)
      const { match_condition } = step.config
      const found = yield* records.matching(definition, match_condition, limitOf(step.config), step)
      collections.publish(step, { app_id: definition.app_id, record_ids: found.map((it) => it.record_id) })
      return success
    })
  )
})

interface ViewRow {
  readonly filters: RecordFilters
  readonly sort_by: number | null
  readonly sort_desc: boolean
}

export const collectAppViewRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const selection = yield* makeSelection
  const collections = yield* Collections
  const context = yield* dependencies
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"collect_app_view_records">) {
      const definition = yield* Effect.provideContext(appOf(step, step.config.app_id), context)
      const { app_view_id = 0 } = step.config
      const [view] = yield* sql<ViewRow>`
        SELECT filters, sort_by, sort_desc FROM views
        WHERE view_id = ${app_view_id} AND app_id = ${definition.app_id}`
      if (view === undefined) return yield* failed(`App ${definition.app_id} has no view ${app_view_id}.`)
      const today = formatDate(new Date(yield* Clock.currentTimeMillis))
      const filters = resolveFilters(definition, view.filters, { userId: step.authority.userId, today, stored: true })
      if (Result.isFailure(filters)) return yield* failed(`The view's filters: ${filters.failure}`)
      const field = view.sort_by === null ? undefined : definition.byId.get(view.sort_by)
      const order = field === undefined ? ("newest" as const) : { by: field, desc: view.sort_desc }
      const { conditions } = filters.success
      const rows = yield* selection.rows({ definition, conditions, order }, null, limitOf(step.config))
      collections.publish(step, { app_id: definition.app_id, record_ids: rows.map((row) => row.record_id) })
      return success
    })
  )
})

export const collectReferencedRecords = Effect.gen(function* () {
  const collections = yield* Collections
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"collect_referenced_records">) {
      const reached = yield* collections.reached(yield* currentRecord(step), step.config.ref_collection_defs, step)
      for (const collection of reached) collections.publish(step, collection)
      return success
    })
  )
})

export const collectedRecordsCollectReferencedRecords = Effect.gen(function* () {
  const collections = yield* Collections
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"collected_records_collect_referenced_records">) {
      const from = yield* collections.of(step.config.record_collection, step)
      const reached = yield* collections.reached(from.record_ids, step.config.ref_collection_defs, step)
      for (const collection of reached) collections.publish(step, collection)
      return success
    })
  )
})
