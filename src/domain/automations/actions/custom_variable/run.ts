// Runtime of `custom_variable` (service.md 2.7, developer-api.md 7.7 rule 1): assigns the script's value to one definition, or by label to
// several.
import { Effect } from "effect"
import { HIDDEN, isSecretName } from "../../../../platform/text/redaction.ts"
import { variableName } from "../../model/RunScope.ts"
import { success } from "../../model/Step.ts"
import { isPlainObject } from "../../schema/walk.ts"
import { Scripts } from "../../values/resolveScript.ts"
import { storable } from "../../values/resolveStorable.ts"
import { prepared, type StepOf } from "../runtime.ts"

export const run = Effect.gen(function* () {
  const scripts = yield* Scripts
  return prepared(
    Effect.fnUntraced(function* (step: StepOf<"custom_variable">) {
      const { assignment_code, custom_variable_defs: defs } = step.config
      const [first, ...others] = defs
      // The step does nothing if it has no definition, and logs nothing.
      if (first === undefined) return { status: "success", logsNothing: true } as const
      const { inputs, messages, value } = yield* scripts.evaluate(assignment_code, step)
      for (const { level, message } of messages) step.log.add(level, message)
      for (const [name, input] of Object.entries(inputs)) step.log.input(name, input)
      if (others.length > 0 && isPlainObject(value)) {
        for (const def of defs) {
          const key = [def.label, variableName(def.label)].find((name) => Object.hasOwn(value, name))
          step.set(def, key === undefined ? null : storable(value[key]))
        }
      } else step.set(first, storable(value))
      step.log.output("value", defs.some(({ label }) => isSecretName(label)) ? HIDDEN : value)
      return success
    })
  )
})
