// `collected_records_send_email` (developer-api.md 7.6): one mail per collected record that is not in the trash.
import { Effect } from "effect"
import { skipped } from "../../model/Step.ts"
import { each, type StepOf } from "../runtime.ts"
import { Collections } from "../shared/Collections.ts"
import { makeStepMail } from "../shared/stepMail.ts"

export const run = Effect.gen(function* () {
  const collections = yield* Collections
  const send = yield* makeStepMail
  return each(
    Effect.fnUntraced(function* (step: StepOf<"collected_records_send_email">) {
      return (yield* collections.of(step.config.record_collection, step)).record_ids
    }),
    Effect.fnUntraced(function* (step: StepOf<"collected_records_send_email">, { deleted_on, record_id }) {
      return deleted_on === null ? yield* send(step) : skipped(`Record ${record_id} is in the trash.`)
    })
  )
})
