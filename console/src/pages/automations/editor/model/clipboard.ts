// Steps in the clipboard, as text that a person can read, between automations and windows.
import { stepsFrom } from "./definition.ts"
import { copied, type Steps } from "./steps.ts"

export const stepsText = (steps: Steps): string => JSON.stringify({ millrace_steps: steps }, null, 2)

/** Steps in a text, with ids of their own; undefined where there are none. */
export const stepsOfText = (text: string, mint: () => string): Steps | undefined => {
  try {
    const raw: unknown = JSON.parse(text)
    const list = Array.isArray(raw) ? raw : (raw as { millrace_steps?: unknown } | null)?.millrace_steps
    const isStep = (one: unknown) => typeof (one as { type?: unknown } | null)?.type === "string"
    return Array.isArray(list) && list.length > 0 && list.every(isStep)
      ? copied(stepsFrom(list, mint), mint)
      : undefined
  } catch {
    return undefined
  }
}
