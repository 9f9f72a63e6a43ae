// `current_record_call_automation` (developer-api.md 7.6, 7.8): starts the target for the current record and does not wait.
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { currentRecord, once, type StepOf } from "../runtime.ts"
import { argumentsOf, targets } from "../shared/automationCall.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.gen(function* () {
  const resolve = yield* argumentsOf
  const targetOf = yield* targets
  return once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_call_automation">) {
      const automation_id = yield* targetOf(step)
      const { record_id } = yield* currentRecord(step)
      const args = yield* resolve(step.config.call_arguments, step)
      if (step.simulation) return skipInSimulation(`automation ${automation_id} would be called.`)
      const awaited = step.config.wait_for_result === true
      step.call({ automation_id, record_id, arguments: args, triggering_record_id: record_id, linked: true, awaited })
      return success
    })
  )
})
