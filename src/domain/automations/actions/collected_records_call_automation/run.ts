// `collected_records_call_automation` (developer-api.md 7.6, 7.8): one run per collected record of the target's app.
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { each, type StepOf } from "../runtime.ts"
import { argumentsOf, targets } from "../shared/automationCall.ts"
import { Collections } from "../shared/Collections.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.gen(function* () {
  const resolve = yield* argumentsOf
  const targetOf = yield* targets
  const collections = yield* Collections
  return each(
    Effect.fnUntraced(function* (step: StepOf<"collected_records_call_automation">) {
      yield* targetOf(step)
      const records = yield* collections.records(yield* collections.of(step.config.record_collection, step), step)
      // Records of other apps are skipped: a target is an automation of the same app.
      return records.filter((it) => it.app_id === step.automation.app_id).map((it) => it.record_id)
    }),
    Effect.fnUntraced(function* (step: StepOf<"collected_records_call_automation">, { record_id }) {
      const automation_id = yield* targetOf(step)
      const args = yield* resolve(step.config.call_arguments, step)
      if (step.simulation) {
        return skipInSimulation(`automation ${automation_id} would be called for record ${record_id}.`)
      }
      const initiator = step.run.record_id
      const awaited = step.config.wait_for_result === true
      step.call({
        automation_id,
        record_id,
        arguments: args,
        triggering_record_id: initiator,
        linked: awaited,
        awaited
      })
      return success
    })
  )
})
