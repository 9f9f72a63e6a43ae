// Options of categories and states while they are edited: each with a key of its own, those that are taken away named apart.
import type { Settings } from "./settings.ts"

export const colors = ["gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red"] as const

export interface OptionDraft {
  readonly key: string
  readonly id?: number
  readonly text: string
  readonly color: string
  readonly means_completed?: boolean
}

let newOptionCount = 0
export const newOption = (at: number): OptionDraft => ({
  key: `new ${++newOptionCount}`,
  text: "",
  color: colors[(at + 4) % colors.length]!
})

/** Turns the options of a stored field into a draft. */
export const optionsAsDraft = (settings: Settings): Settings => ({
  ...settings,
  options: (settings["options"] ?? []).map((one: OptionDraft) => ({ ...one, key: String(one.id) }))
})

/** Turns the draft into input for the API; options without a text are dropped. */
export const optionsAsInput = (settings: Settings): Settings => ({
  ...settings,
  options: (settings["options"] as ReadonlyArray<OptionDraft>)
    .filter(({ text }) => text.trim() !== "")
    .map(({ key: _, ...one }) => ({ ...one, text: one.text.trim() }))
})
