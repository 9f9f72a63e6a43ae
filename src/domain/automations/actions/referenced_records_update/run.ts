// `referenced_records_update` (service.md 2.7, developer-api.md 7.7 rule 2): records related to the current one in either direction.
import { Effect } from "effect"
import { currentRecord, each, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"
import { makeUpdateOneOfMany } from "../shared/updateOneOfMany.ts"

export const run = Effect.gen(function* () {
  const collections = yield* Collections
  const update = yield* makeUpdateOneOfMany
  return each(
    Effect.fnUntraced(function* (step: StepOf<"referenced_records_update">) {
      const related = yield* collections.related(yield* currentRecord(step), step.config.app_id, step)
      step.log.input("related_records", { num_records: related.length })
      return related.map((record) => record.record_id)
    }),
    update
  )
})
