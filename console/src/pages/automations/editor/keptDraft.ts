// An unsaved draft, kept in this browser until it is saved: whatever is unfinished, nothing is lost with the tab. One for each person and
// automation.
import { type Definition, definitionOf } from "./model/definition.ts"

export interface KeptDraft {
  /** Version that was changed. */
  readonly version: number
  /** When it was written, as `Date.toISOString` gives it. */
  readonly at: string
  readonly definition: Definition
}

const keyOf = (user: number, automation: number) => `millrace:draft:${user}:${automation}`

/** @returns undefined if there is none, or none that this version of the console can read */
export const readDraft = (user: number, automation: number, mint: () => string): KeptDraft | undefined => {
  try {
    const raw = JSON.parse(localStorage.getItem(keyOf(user, automation)) ?? "null")
    const readResult = definitionOf(raw?.definition, mint)
    return "mistake" in readResult || typeof raw.version !== "number" || typeof raw.at !== "string"
      ? undefined
      : { version: raw.version, at: raw.at, definition: readResult.definition }
  } catch {
    return undefined
  }
}

/** @returns false if the browser keeps nothing: it has no room, or its owner forbids it */
export const writeDraft = (user: number, automation: number, draft: KeptDraft): boolean => {
  try {
    localStorage.setItem(keyOf(user, automation), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export const removeDraft = (user: number, automation: number): boolean => {
  try {
    localStorage.removeItem(keyOf(user, automation))
    return true
  } catch {
    return false
  }
}
