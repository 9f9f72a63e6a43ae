// `collect_referenced_records` (developer-api.md 7.6): records reached from the current one.
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { currentRecord, prepared, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"

export const run = Effect.gen(function* () {
  const collections = yield* Collections
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"collect_referenced_records">) {
      const reached = yield* collections.reached(yield* currentRecord(step), step.config.ref_collection_defs, step)
      for (const collection of reached) collections.publish(step, collection)
      return success
    })
  )
})
