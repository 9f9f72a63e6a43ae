// Shared parts of comment steps (developer-api.md 5, 7.6): the services, a comment on a record, the comment that started the run.
import { Effect } from "effect"
import { Comments } from "../../../records/comments/Comments.ts"
import { Values } from "../../model/Resolver.ts"
import { type Step, StepFailed, success } from "../../model/Step.ts"
import { refusing, type StepOf } from "../runtime.ts"
import { skipInSimulation } from "../simulation.ts"
import { Collections } from "./Collections.ts"
import { levels, Mutations } from "./Mutations.ts"

type CommentStep = StepOf<"current_record_comment_create" | "collected_records_comment_create">

export const comments = Effect.gen(function* () {
  const service = yield* Comments
  const mutations = yield* Mutations
  const values = yield* Values
  const collections = yield* Collections

  const post = Effect.fnUntraced(function* (step: CommentStep, appId: number, recordId: number) {
    const write = yield* mutations.write(step, appId, levels.comment)
    const value = yield* values.text(step.config.comment_content, step)
    step.log.input("comment_content", value)
    if (step.simulation) return skipInSimulation(`record ${recordId} would get a comment.`)
    const { comment_id } = yield* refusing(service.create(write, recordId, { value }))
    step.log.output("comment_id", comment_id)
    return success
  })

  return { service, mutations, values, collections, post }
})

export const triggering = (step: Step) =>
  step.trigger.comment === undefined
    ? Effect.fail(new StepFailed({ message: "The run was not started by a comment or reply." }))
    : Effect.succeed(step.trigger.comment)
