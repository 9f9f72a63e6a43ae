// `current_record_comment_or_reply_reply_create` (developer-api.md 5, 7.6): a reply in the triggering thread.
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { currentRecord, once, refusing, type StepOf } from "../runtime.ts"
import { comments, triggering } from "../shared/commentSteps.ts"
import { levels } from "../shared/Mutations.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.map(comments, ({ mutations, service, values }) =>
  once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_comment_or_reply_reply_create">) {
      const { app_id } = yield* currentRecord(step)
      const { comment_id } = yield* triggering(step)
      const write = yield* mutations.write(step, app_id, levels.comment)
      const value = yield* values.text(step.config.reply_content, step)
      step.log.input("reply_content", value)
      if (step.simulation) return skipInSimulation(`comment ${comment_id} would get a reply.`)
      const { reply_id } = yield* refusing(service.reply(write, comment_id, { value }))
      step.log.output("reply_id", reply_id)
      return success
    })
  )
)
