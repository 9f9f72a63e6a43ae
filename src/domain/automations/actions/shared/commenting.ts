// What comment steps share (developer-api.md 5, 7.6): the services, and the comment that started the run.
import { Effect } from "effect"
import { Comments } from "../../../records/comments/Comments.ts"
import { Values } from "../../model/Resolver.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import { Collections } from "./Collections.ts"
import { Mutations } from "./Mutations.ts"

export const comments = Effect.gen(function* () {
  const service = yield* Comments
  const mutations = yield* Mutations
  const values = yield* Values
  const collections = yield* Collections
  return { service, mutations, values, collections }
})

export const triggering = (step: Step) =>
  step.trigger.comment === undefined
    ? Effect.fail(new StepFailed({ message: "The run was not started by a comment or reply." }))
    : Effect.succeed(step.trigger.comment)
