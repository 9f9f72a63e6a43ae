// Comment steps (developer-api.md 5, 7.6): on the run's record, on collected records, in and about the triggering thread.
import { Effect } from "effect"
import { Comments } from "../../../records/comments/Comments.ts"
import { Values } from "../../model/Resolver.ts"
import { type Step, StepFailed, skipped, success } from "../../model/Step.ts"
import { currentRecord, each, once, refusing, type StepOf } from "../runtime.ts"
import { Collections } from "./Collections.ts"
import { levels, Mutations } from "./Mutations.ts"

const comments = Effect.gen(function* () {
  const service = yield* Comments
  const mutations = yield* Mutations
  const values = yield* Values
  const collections = yield* Collections
  return { service, mutations, values, collections }
})

const triggering = (step: Step) =>
  step.trigger.comment === undefined
    ? Effect.fail(new StepFailed({ message: "The run was not started by a comment or reply." }))
    : Effect.succeed(step.trigger.comment)

export const currentRecordCommentCreate = Effect.map(comments, ({ mutations, service, values }) =>
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

export const collectedRecordsCommentCreate = Effect.map(comments, ({ collections, mutations, service, values }) =>
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

export const currentRecordCommentOrReplyReplyCreate = Effect.map(comments, ({ mutations, service, values }) =>
  once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_comment_or_reply_reply_create">) {
      const { app_id } = yield* currentRecord(step)
      const { comment_id } = yield* triggering(step)
      const write = yield* mutations.write(step, app_id, levels.comment)
      const value = yield* values.text(step.config.reply_content, step)
      step.log.input("reply_content", value)
      if (step.simulation) return skipped(`Simulation: comment ${comment_id} would get a reply.`)
      const { reply_id } = yield* refusing(service.reply(write, comment_id, { value }))
      step.log.output("reply_id", reply_id)
      return success
    })
  )
)

export const currentRecordCommentOrReplyDelete = Effect.map(comments, ({ mutations, service }) =>
  once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_comment_or_reply_delete">) {
      const { app_id } = yield* currentRecord(step)
      const { comment_id, created_by, reply_id } = yield* triggering(step)
      const write = yield* mutations.write(step, app_id, levels.comment)
      const own =
        created_by.type === "user" && write.author.type === "user" && created_by.user_id === write.author.user_id
      // Someone else's is for workspace admins (developer-api.md 5).
      if (!own) yield* mutations.write(step, app_id, levels.administer)
      const name = reply_id === undefined ? `Comment ${comment_id}` : `Reply ${reply_id}`
      if (step.simulation) return skipped(`Simulation: ${name.toLowerCase()} would be deleted.`)
      const gone = yield* reply_id === undefined ? service.removeAs(write, comment_id) : service.removeReplyAs(reply_id)
      if (!gone) step.log.add("info", `${name} is gone already.`)
      return success
    })
  )
)
