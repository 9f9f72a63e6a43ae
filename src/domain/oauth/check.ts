// A rule of the OAuth endpoints looks at one thing and refuses it or not; of a list in order the first that refuses counts (service.md 7.1).
import type { OAuthRefused } from "./reasons.ts"

export type Check<Subject> = (subject: Subject) => OAuthRefused | undefined

export const firstRefusal =
  <Subject>(checks: ReadonlyArray<Check<Subject>>): Check<Subject> =>
  (subject) => {
    for (const check of checks) {
      const refusal = check(subject)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
