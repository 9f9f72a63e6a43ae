// `collected_records_comment_create` (developer-api.md 5, 7.6): one comment per collected record that is not in the trash.
import { Effect } from "effect"
import { skipped, success } from "../../model/Step.ts"
import { each, refusing, type StepOf } from "../runtime.ts"
import { comments } from "../shared/commenting.ts"
import { levels } from "../shared/Mutations.ts"

export const run = Effect.map(comments, ({ collections, mutations, service, values }) =>
  each(
    Effect.fnUntraced(function* (step: StepOf<"collected_records_comment_create">) {
      return (yield* collections.of(step.config.record_collection, step)).record_ids
    }),
    Effect.fnUntraced(function* (step: StepOf<"collected_records_comment_create">, { app_id, deleted_on, record_id }) {
      if (deleted_on !== null) return skipped(`Record ${record_id} is in the trash.`)
      const write = yield* mutations.write(step, app_id, levels.comment)
      const value = yield* values.text(step.config.comment_content, step)
      step.log.input("comment_content", value)
      if (step.simulation) return skipped(`Simulation: record ${record_id} would get a comment.`)
      const { comment_id } = yield* refusing(service.create(write, record_id, { value }))
      step.log.output("comment_id", comment_id)
      return success
    })
  )
)
