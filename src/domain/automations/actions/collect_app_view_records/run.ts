// Runtime of `collect_app_view_records` (developer-api.md 7.6): collects the records that a view shows its reader, in the view's order.
import { Clock, Effect, Result, Schema } from "effect"
import { jsonb } from "../../../../platform/sql/columns.ts"
import { rowOf } from "../../../../platform/sql/rows.ts"
import { Sql } from "../../../../platform/sql/Sql.ts"
import { soleUserOf } from "../../../accounts/Caller.ts"
import type { RecordFilters } from "../../../records/fields/matching/RecordFilter.ts"
import { resolveFilters } from "../../../records/filters/resolveFilters.ts"
import { makeSelection } from "../../../records/listing/recordSelect.ts"
import { viewExistsFor } from "../../../records/model/privateViews.ts"
import { RunVisibility } from "../../model/RunVisibility.ts"
import { success } from "../../model/Step.ts"
import { failed, prepared, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"
import { appOf, dependencies, limitOf } from "../shared/collectFromApp.ts"

const ViewRow = Schema.Struct({
  filters: jsonb<RecordFilters>(),
  sort_by: Schema.NullOr(Schema.Int),
  sort_desc: Schema.Boolean
})

export const run = Effect.gen(function* () {
  const sql = yield* Sql
  const selection = yield* makeSelection
  const collections = yield* Collections
  const visibility = yield* RunVisibility
  const context = yield* dependencies
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"collect_app_view_records">) {
      const definition = yield* Effect.provideContext(appOf(step, step.config.app_id), context)
      const { app_view_id = 0 } = step.config
      const { userId } = step.authority
      // A private view is its maker's alone, so that nobody else may act in the run.
      const { caller } = yield* visibility.on(step, definition.app_id)
      const view = yield* rowOf(ViewRow)(sql`
        SELECT filters, sort_by, sort_desc FROM views
        WHERE view_id = ${app_view_id} AND app_id = ${definition.app_id}
          AND ${viewExistsFor(sql, soleUserOf(caller))}`)
      if (view === undefined) return yield* failed(`App ${definition.app_id} has no view ${app_view_id}.`)
      const reader = { userId, zone: step.automation.timezone }
      const nowMillis = yield* Clock.currentTimeMillis
      const filters = resolveFilters(definition, view.filters, { ...reader, now: nowMillis, stored: true })
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
