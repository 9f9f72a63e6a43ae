// `current_record_comment_create` (developer-api.md 5, 7.6).
import { Effect } from "effect"
import { skipped, success } from "../../model/Step.ts"
import { currentRecord, once, refusing, type StepOf } from "../runtime.ts"
import { comments } from "../shared/commenting.ts"
import { levels } from "../shared/Mutations.ts"

export const run = Effect.map(comments, ({ mutations, service, values }) =>
  once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_comment_create">) {
      const { app_id, record_id } = yield* currentRecord(step)
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
