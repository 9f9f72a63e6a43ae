// Resolves the automation that a step calls, and its arguments (service.md 2.7 "Producer and consumer rules", developer-api.md 7.8;
// decisions A14).
import { Effect } from "effect"
import { jsonLength } from "../../../../platform/bounds/jsonLength.ts"
import { HIDDEN, isSecretName } from "../../../../platform/text/redaction.ts"
import type { Template } from "../../model/Definition.ts"
import { Values } from "../../model/Resolver.ts"
import { variableName } from "../../model/RunScope.ts"
import { RunVisibility } from "../../model/RunVisibility.ts"
import type { Step } from "../../model/Step.ts"
import { makeSealed } from "../../model/sealedValues.ts"
import { LONG_CHARS, tooLong } from "../../model/textBounds.ts"
import { Scripts } from "../../values/resolveScript.ts"
import { failed } from "../runtime.ts"
import type { CallArgument } from "./callConfig.ts"

/** Returns the arguments by internal name of the target's inputs. */
export const argumentsOf = Effect.gen(function* () {
  const values = yield* Values
  const scripts = yield* Scripts
  const { seal } = yield* makeSealed
  /** Returns the value of a single reference as it is: files, lists, objects. Undefined for texts. */
  const readReference = Effect.fnUntraced(function* (template: Template, step: Step) {
    const [only, ...more] = template.filter((item) => typeof item !== "string" || item.trim() !== "")
    if (more.length > 0 || only === undefined || typeof only === "string" || only.kind !== "variable") return undefined
    const value = yield* values.reference(only, step)
    return typeof value === "object" && value !== null ? value : undefined
  })
  return Effect.fnUntraced(function* (list: ReadonlyArray<CallArgument>, step: Step) {
    const out: Record<string, unknown> = {}
    let chars = 0
    for (const { assignment_type, code, value, variable_def } of list) {
      const name = variableName(variable_def.label)
      if (assignment_type === "set")
        out[name] = (yield* readReference(value, step)) ?? (yield* values.text(value, step))
      else {
        const result = yield* scripts.evaluate(code, step)
        for (const { level, message } of result.messages) step.log.add(level, message)
        out[name] = result.value
      }
      chars += jsonLength(out[name]).length
      if (chars > LONG_CHARS) return yield* tooLong("The arguments are", LONG_CHARS)
      step.log.input(variable_def.label, isSecretName(variable_def.label) ? HIDDEN : out[name])
      // Sealed as stored with the call or the link, until the called run opens it.
      out[name] = seal(out[name])
    }
    return out
  })
})

/** Returns the target, which the author has to see, in the automation's own app. */
export const targets = Effect.map(RunVisibility, (sight) =>
  Effect.fnUntraced(function* (step: Step<{ readonly automation_id?: number }>) {
    const { automation_id } = step.config
    if (automation_id === undefined) return yield* failed("No automation is set.")
    const { appId } = yield* sight.automation(step, automation_id)
    return appId === step.automation.app_id
      ? automation_id
      : yield* failed(`The automation ${automation_id} is one of another app.`)
  })
)
