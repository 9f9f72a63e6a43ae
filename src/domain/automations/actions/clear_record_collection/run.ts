// `clear_record_collection` (developer-api.md 7.6).
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { prepared, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"

export const run = Effect.gen(function* () {
  const collections = yield* Collections
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"clear_record_collection">) {
      const collection = yield* collections.of(step.config.record_collection, step)
      collections.publish(step, { ...collection, record_ids: [] })
      return success
    })
  )
})
