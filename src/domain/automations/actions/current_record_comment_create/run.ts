// `current_record_comment_create` (developer-api.md 5, 7.6).
import { Effect } from "effect"
import { currentRecord, once, type StepOf } from "../runtime.ts"
import { comments } from "../shared/commentSteps.ts"

export const run = Effect.map(comments, ({ post }) =>
  once((step: StepOf<"current_record_comment_create">) =>
    Effect.flatMap(currentRecord(step), ({ app_id, record_id }) => post(step, app_id, record_id))
  )
)
