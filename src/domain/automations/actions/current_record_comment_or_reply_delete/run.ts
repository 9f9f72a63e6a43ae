// Runtime of `current_record_comment_or_reply_delete` (developer-api.md 5, 7.6): deletes another author's only with the rights of a
// workspace admin.
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { currentRecord, once, type StepOf } from "../runtime.ts"
import { comments, triggering } from "../shared/commentSteps.ts"
import { levels } from "../shared/Mutations.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.map(comments, ({ mutations, service }) =>
  once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_comment_or_reply_delete">) {
      const { app_id } = yield* currentRecord(step)
      const { comment_id, created_by, reply_id } = yield* triggering(step)
      const write = yield* mutations.write(step, app_id, levels.comment)
      const isAuthor =
        created_by.type === "user" && write.author.type === "user" && created_by.user_id === write.author.user_id
      // Comments of other authors need a workspace admin (developer-api.md 5).
      if (!isAuthor) yield* mutations.write(step, app_id, levels.administer)
      const name = reply_id === undefined ? `Comment ${comment_id}` : `Reply ${reply_id}`
      if (step.simulation) return skipInSimulation(`${name.toLowerCase()} would be deleted.`)
      const wasRemoved = yield* reply_id === undefined
        ? service.removeAs(write, comment_id)
        : service.removeReplyAs(reply_id)
      if (!wasRemoved) step.log.add("info", `${name} is gone already.`)
      return success
    })
  )
)
