// Runtime of `current_record_generate_automation_weblink` (developer-api.md 7.6, 7.10): creates a link whose click starts the target.
import { Effect } from "effect"
import { success } from "../../model/Step.ts"
import { WeblinkMint } from "../../model/WeblinkMint.ts"
import { currentRecord, once, type StepOf } from "../runtime.ts"
import { argumentsOf, targets } from "../shared/automationCall.ts"
import { skipInSimulation } from "../simulation.ts"

export const run = Effect.gen(function* () {
  const resolve = yield* argumentsOf
  const targetOf = yield* targets
  const weblinks = yield* WeblinkMint
  return once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_generate_automation_weblink">) {
      const automation_id = yield* targetOf(step)
      const { record_id } = yield* currentRecord(step)
      const { call_arguments, custom_variable_def, weblink_expiration } = step.config
      const args = yield* resolve(call_arguments, step)
      if (step.simulation) return skipInSimulation(`a weblink to automation ${automation_id} would be made.`)
      const { trigger_client_url, trigger_token } = yield* weblinks.mint({
        automation_id,
        record_id,
        triggering_record_id: record_id,
        arguments: args,
        run_type: "regular",
        expiration: weblink_expiration,
        once: weblink_expiration === "on_click",
        depth: step.run.depth,
        cause: step.cause
      })
      step.set(custom_variable_def, trigger_client_url)
      // Anybody with the address may click it: the log does not show it.
      step.log.secret(trigger_client_url)
      step.log.secret(trigger_token)
      return success
    })
  )
})
