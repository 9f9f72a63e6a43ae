// Named secrets that a run has used or may use (developer-api.md 7.13), which its steps must not store. Values leave with what a step
// sends; log, variables, files, pages and calls hold a mark instead.
import { bytesWithoutSecrets, formsOf, holdsSecret, withoutSecrets } from "../../../platform/text/secretForms.ts"
import type { StepSecrets } from "../model/Step.ts"

/** @param logged set of texts that the run's log hides; every form of each secret is added */
export const makeUsedSecrets = (logged: Set<string>): StepSecrets => {
  const values = new Set<string>()
  let forms: ReadonlyArray<string> = []
  return {
    add: (value) => {
      if (values.has(value)) return
      values.add(value)
      const more = formsOf(value)
      for (const form of more) logged.add(form)
      forms = [...new Set([...forms, ...more])].toSorted((one, other) => other.length - one.length)
    },
    without: <A>(value: A) => withoutSecrets(value, forms) as A,
    withoutIn: (bytes) => bytesWithoutSecrets(bytes, forms),
    in: (value) => holdsSecret(value, forms)
  }
}
