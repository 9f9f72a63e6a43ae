// Pinned answers of outside steps in a simulation (developer-api.md 7.13 `pinned`): the shape for each type, the check against the step's
// declarations, and the values that later steps find. Nothing is sent.
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Action, CustomDef } from "../model/Definition.ts"
import { type Step, StepFailed, type StepOutcome, type StepRuntime, success } from "../model/Step.ts"
import { isPlainObject } from "../schema/walk.ts"
import { storable } from "../values/resolveStorable.ts"
import { actionSpec, type OutsideType } from "./registry.ts"

interface Pinning {
  /** Returns the reason why an answer does not fit, as text after the answer's path, or undefined. */
  readonly mistake: (answer: Record<string, unknown>, defs: ReadonlyArray<CustomDef>) => string | undefined
  readonly apply: (step: Step, answer: any, defs: ReadonlyArray<CustomDef>) => Effect.Effect<void, StepFailed>
  /** True if the simulated step logs first what it would send. */
  readonly previews: boolean
}

const isFile = ({ custom_type }: CustomDef) => custom_type === "single_file" || custom_type === "multi_file"
const unknownKey = (answer: object, ...known: ReadonlyArray<string>) => {
  const key = Object.keys(answer).find((name) => !known.includes(name))
  return key === undefined ? undefined : `.${key}: is not known; allowed are ${known.join(", ")}.`
}

const http: Pinning = {
  mistake: (answer) => {
    const { headers, status } = answer
    if (!Number.isInteger(status) || (status as number) < 100 || (status as number) > 599) {
      return ".status: expected an integer from 100 to 599."
    }
    const texts = headers === undefined || (isPlainObject(headers) && Object.values(headers).every(isHeader))
    return texts
      ? unknownKey(answer, "status", "headers", "data")
      : ".headers: expected texts, or lists of them, by name."
  },
  apply: (step, { data = null, headers = {}, status }, defs) => {
    step.log.output("response", { status, headers, data })
    const any = defs.find(({ custom_type }) => custom_type === "any")
    const value = storable({ status, headers, data })
    if (any !== undefined) (status >= 400 ? step.setOnFailure : step.set)(any, value)
    return status >= 400 ? Effect.fail(new StepFailed({ message: `The server answered ${status}.` })) : Effect.void
  },
  previews: true
}
const isHeader = (value: unknown) => [value].flat().every((one) => typeof one === "string")

const mail: Pinning = {
  mistake: (answer) => unknownKey(answer),
  apply: () => Effect.void,
  previews: true
}

/** Answers by the labels of the variables that the step declares. */
const variables: Pinning = {
  mistake: (answer, defs) => {
    const labels = defs.filter((def) => !isFile(def)).map(({ label }) => label)
    const unknown = Object.keys(answer).find((label) => !labels.includes(label))
    return unknown === undefined
      ? undefined
      : `[${JSON.stringify(unknown)}]: the step declares no variable of this label that could be pinned.`
  },
  apply: (step, answer, defs) =>
    Effect.sync(() => {
      for (const def of defs) if (Object.hasOwn(answer, def.label)) step.set(def, storable(answer[def.label]))
      step.log.output("variables", answer)
    }),
  previews: false
}

const pinnings: { readonly [T in OutsideType]: Pinning | null } = {
  http_call: http,
  authenticated_http_call: http,
  send_email: mail,
  collected_records_send_email: mail,
  custom_code: variables,
  // The step creates a file, which an answer cannot hold.
  create_pdf: null
}

const pinningOf = (type: string): Pinning | null => pinnings[type as OutsideType] ?? null
const declaredBy = (type: string, config: unknown) => actionSpec(type).declares?.(config) ?? []

/** Returns the reason why an answer cannot be pinned to a step, as text after `pinned.<id>`, or undefined. */
export const pinMistake = ({ config, type }: Action, answer: unknown): string | undefined => {
  const pinning = pinningOf(type)
  if (pinning === null) return `: \`${type}\` is no step whose answer can be pinned.`
  if (!isPlainObject(answer)) return ": expected an object."
  return pinning.mistake(answer, declaredBy(type, config))
}

/** @param opened the answer, its sealed parts opened */
export const pinnedRuntime =
  (type: OutsideType, opened: unknown, runtime: StepRuntime) =>
  (step: Step): Effect.Effect<StepOutcome, StepFailed | SqlError> =>
    Effect.gen(function* () {
      const pinning = pinningOf(type)
      if (pinning === null) return yield* new StepFailed({ message: "The pinned answer does not fit the step." })
      if (pinning.previews && runtime.kind === "once") {
        const preview = yield* runtime.run(step)
        if (preview.status === "skipped") step.log.add("info", preview.message)
      }
      step.log.add("info", "Answered as pinned.")
      yield* pinning.apply(step, opened, declaredBy(type, step.config))
      return success
    })
