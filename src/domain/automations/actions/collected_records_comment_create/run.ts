// `collected_records_comment_create` (developer-api.md 5, 7.6): one comment per collected record that is not in the trash.
import { Effect } from "effect"
import { skipped } from "../../model/Step.ts"
import { each, type StepOf } from "../runtime.ts"
import { comments } from "../shared/commentSteps.ts"

export const run = Effect.map(comments, ({ collections, post }) =>
  each(
    Effect.fnUntraced(function* (step: StepOf<"collected_records_comment_create">) {
      return (yield* collections.of(step.config.record_collection, step)).record_ids
    }),
    (step: StepOf<"collected_records_comment_create">, { app_id, deleted_on, record_id }) =>
      deleted_on === null
        ? post(step, app_id, record_id)
        : Effect.succeed(skipped(`Record ${record_id} is in the trash.`))
  )
)
