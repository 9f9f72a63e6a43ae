// `collected_records_collect_referenced_records` (developer-api.md 7.6): records reached from every record of a collection.
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { prepared, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"

export const run = Effect.gen(function* () {
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
