// `collect_app_records` (service.md 2.7, developer-api.md 7.6): records of an app that match, oldest first.
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { prepared, type StepOf } from "../runtime.ts"
import { AppRecords } from "../shared/AppRecords.ts"
import { Collections } from "../shared/Collections.ts"
import { appOf, dependencies, limitOf } from "../shared/collectFromApp.ts"

export const run = Effect.gen(function* () {
  const records = yield* AppRecords
  const collections = yield* Collections
  const context = yield* dependencies
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"collect_app_records">) {
      const definition = yield* Effect.provideContext(appOf(step, step.config.app_id), context)
      const { match_condition } = step.config
      const matchingRecords = yield* records.matching(definition, match_condition, limitOf(step.config), step)
      collections.publish(step, { app_id: definition.app_id, record_ids: matchingRecords.map((it) => it.record_id) })
      return success
    })
  )
})
