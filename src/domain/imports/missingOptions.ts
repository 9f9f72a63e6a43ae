// Adds the options that the rows of a batch name and their fields lack, where an import asks for it. Only who may change the app may.
import { Effect } from "effect"
import type { AccessGrant } from "../accounts/Access.ts"
import type { Apps } from "../records/apps/Apps.ts"
import { textProblem } from "../records/fields/input/writeInput.ts"
import { MAX_OPTION_TEXT, MAX_OPTIONS } from "../records/fields/kinds/optionChanges.ts"
import type { OptionSettings } from "../records/fields/kinds/optionFields.ts"
import type { Field } from "../records/fields/model/Field.ts"
import type { BadCell } from "./rowReading.ts"

const textKey = (text: string) => text.toLowerCase()

/**
 * Options that an import adds, by field, each text once as it is written first: those that an option may have, as far as the field has room.
 */
export const addableOptions = (badCells: ReadonlyArray<BadCell>): ReadonlyMap<Field, ReadonlyArray<string>> => {
  const textsByField = new Map<Field, Map<string, string>>()
  for (const { field, missing } of badCells) {
    if (missing.length === 0) continue
    const texts = textsByField.get(field) ?? new Map<string, string>()
    const optionsLeft = MAX_OPTIONS - (field.settings as OptionSettings).options.length
    for (const text of missing) {
      const isAddable = texts.size < optionsLeft && textProblem(text, MAX_OPTION_TEXT) === null
      if (isAddable && !texts.has(textKey(text))) texts.set(textKey(text), text)
    }
    if (texts.size > 0) textsByField.set(field, texts)
  }
  return new Map([...textsByField].map(([field, texts]) => [field, [...texts.values()]]))
}

/** True of a cell that is read once these options are added. */
export const isMendedBy = (addable: ReadonlyMap<Field, ReadonlyArray<string>>) => {
  const keysByField = new Map([...addable].map(([field, texts]) => [field, new Set(texts.map(textKey))]))
  return ({ field, missing }: BadCell): boolean =>
    missing.length > 0 && missing.every((text) => keysByField.get(field)?.has(textKey(text)) === true)
}

/** Adds them. Answers how many. */
export const addOptions = Effect.fnUntraced(function* (
  apps: Apps["Service"],
  grant: AccessGrant,
  addable: ReadonlyMap<Field, ReadonlyArray<string>>
) {
  yield* apps.update(grant, {
    fields: [...addable].map(([field, texts]) => {
      const { always_hidden, description, field_id, hidden_if_empty, label, required, unique } = field
      const settings = { options: texts.map((text) => ({ text })) }
      return { field_id, config: { label, description, required, unique, always_hidden, hidden_if_empty, settings } }
    })
  })
  return [...addable.values()].reduce((sum, { length }) => sum + length, 0)
})
