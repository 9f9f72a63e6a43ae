// Calls of other automations and weblinks to them (service.md 2.7 "Producer and consumer rules", developer-api.md 7.8, 7.10; decisions A14).
import { Effect } from "effect"
import { HIDDEN, isSecretName } from "../../../../ground/text/redaction.ts"
import type { Template } from "../../model/Definition.ts"
import { Values } from "../../model/Resolver.ts"
import { variableName } from "../../model/RunScope.ts"
import { Sight } from "../../model/Sight.ts"
import { type Step, skipped, success } from "../../model/Step.ts"
import { makeSealed } from "../../model/sealedValues.ts"
import { Scripts } from "../../values/resolveScript.ts"
import { Weblinks } from "../../weblinks/Weblinks.ts"
import { currentRecord, each, failed, once, type StepOf } from "../runtime.ts"
import type { CallArgument } from "../spec.ts"
import { Collections } from "./Collections.ts"

/** By internal name of the target's inputs. */
const argumentsOf = Effect.gen(function* () {
  const values = yield* Values
  const scripts = yield* Scripts
  const { seal } = yield* makeSealed
  /** A reference that stands alone passes as what it is: files, lists, objects. Undefined for what is a text. */
  const whole = Effect.fnUntraced(function* (template: Template, step: Step) {
    const [only, ...more] = template.filter((item) => typeof item !== "string" || item.trim() !== "")
    if (more.length > 0 || only === undefined || typeof only === "string" || only.kind !== "variable") return undefined
    const value = yield* values.reference(only, step)
    return typeof value === "object" && value !== null ? value : undefined
  })
  return Effect.fnUntraced(function* (list: ReadonlyArray<CallArgument>, step: Step) {
    const out: Record<string, unknown> = {}
    for (const { assignment_type, code, value, variable_def } of list) {
      const name = variableName(variable_def.label)
      if (assignment_type === "set") out[name] = (yield* whole(value, step)) ?? (yield* values.text(value, step))
      else {
        const result = yield* scripts.evaluate(code, step)
        for (const { level, message } of result.messages) step.log.add(level, message)
        out[name] = result.value
      }
      step.log.input(variable_def.label, isSecretName(variable_def.label) ? HIDDEN : out[name])
      // As it is stored with the call or the link, until the called run opens it.
      out[name] = seal(out[name])
    }
    return out
  })
})

/** The target, which the author has to see, in the automation's own app. */
const targets = Effect.map(Sight, (sight) =>
  Effect.fnUntraced(function* (step: Step<{ readonly automation_id?: number }>) {
    const { automation_id } = step.config
    if (automation_id === undefined) return yield* failed("No automation is set.")
    const { appId } = yield* sight.automation(step, automation_id)
    return appId === step.automation.app_id
      ? automation_id
      : yield* failed(`The automation ${automation_id} is one of another app.`)
  })
)

export const currentRecordCallAutomation = Effect.gen(function* () {
  const resolve = yield* argumentsOf
  const targetOf = yield* targets
  return once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_call_automation">) {
      const automation_id = yield* targetOf(step)
      const { record_id } = yield* currentRecord(step)
      const args = yield* resolve(step.config.call_arguments, step)
      if (step.simulation) return skipped(`Simulation: automation ${automation_id} would be called.`)
      step.call({ automation_id, record_id, arguments: args, triggering_record_id: record_id, linked: true })
      return success
    })
  )
})

export const collectedRecordsCallAutomation = Effect.gen(function* () {
  const resolve = yield* argumentsOf
  const targetOf = yield* targets
  const collections = yield* Collections
  return each(
    Effect.fnUntraced(function* (step: StepOf<"collected_records_call_automation">) {
      yield* targetOf(step)
      const records = yield* collections.records(yield* collections.of(step.config.record_collection, step), step)
      // A target is an automation of the same app: records of others have none.
      return records.filter((it) => it.app_id === step.automation.app_id).map((it) => it.record_id)
    }),
    Effect.fnUntraced(function* (step: StepOf<"collected_records_call_automation">, { record_id }) {
      const automation_id = yield* targetOf(step)
      const args = yield* resolve(step.config.call_arguments, step)
      if (step.simulation) {
        return skipped(`Simulation: automation ${automation_id} would be called for record ${record_id}.`)
      }
      const initiator = step.run.record_id
      step.call({ automation_id, record_id, arguments: args, triggering_record_id: initiator, linked: false })
      return success
    })
  )
})

export const currentRecordGenerateAutomationWeblink = Effect.gen(function* () {
  const resolve = yield* argumentsOf
  const targetOf = yield* targets
  const weblinks = yield* Weblinks
  return once(
    Effect.fnUntraced(function* (step: StepOf<"current_record_generate_automation_weblink">) {
      const automation_id = yield* targetOf(step)
      const { record_id } = yield* currentRecord(step)
      const { call_arguments, custom_variable_def, weblink_expiration } = step.config
      const args = yield* resolve(call_arguments, step)
      if (step.simulation) return skipped(`Simulation: a weblink to automation ${automation_id} would be made.`)
      const { trigger_client_url, trigger_token } = yield* weblinks.make({
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
      // Whoever has the address may click it: the log does not show it.
      step.log.secret(trigger_client_url)
      step.log.secret(trigger_token)
      return success
    })
  )
})
