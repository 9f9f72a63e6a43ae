// `filter_record_collection` (developer-api.md 7.6): keeps the records that match.
import { Effect } from "effect"
import { Matching } from "../../filter/evaluateMany.ts"
import { success } from "../../model/Step.ts"
import { prepared, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"

export const run = Effect.gen(function* () {
  const collections = yield* Collections
  const matching = yield* Matching
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"filter_record_collection">) {
      const collection = yield* collections.of(step.config.record_collection, step)
      const records = yield* collections.records(collection, step)
      const kept = yield* matching.keep(step.config.match_condition, step, records)
      collections.publish(step, { ...collection, record_ids: kept.map((record) => record.record_id) })
      return success
    })
  )
})
