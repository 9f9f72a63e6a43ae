// `collected_records_update` (service.md 2.7, developer-api.md 7.6): one revision per collected record.
import { Effect } from "effect"
import { each, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"
import { makeUpdateOneOfMany } from "../shared/updateOneOfMany.ts"

export const run = Effect.gen(function* () {
  const collections = yield* Collections
  const update = yield* makeUpdateOneOfMany
  return each(
    Effect.fnUntraced(function* (step: StepOf<"collected_records_update">) {
      return (yield* collections.of(step.config.record_collection, step)).record_ids
    }),
    update
  )
})
