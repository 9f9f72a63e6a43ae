// Adds the options that the rows of a batch name and their fields lack, where an import asks for it. Only who may change the app may.
import { Effect } from "effect"
import type { AccessGrant } from "../accounts/Access.ts"
import type { Apps } from "../records/apps/Apps.ts"
import type { Field } from "../records/fields/model/Field.ts"
import type { BadCell } from "./rowReading.ts"

/** Options that a field gets by one import, at most; a field has 500. */
const OPTIONS_MOST = 500
const TEXT_MOST = 500

/** Options to add, by field, each text once as it is written first. */
export const missingOptions = (badCells: ReadonlyArray<BadCell>): ReadonlyMap<Field, ReadonlyArray<string>> => {
  const textsByField = new Map<Field, Map<string, string>>()
  for (const { field, missing } of badCells) {
    const texts = textsByField.get(field) ?? new Map<string, string>()
    for (const text of missing) {
      const key = text.toLowerCase()
      if (text.length <= TEXT_MOST && !texts.has(key)) texts.set(key, text)
    }
    if (texts.size > 0) textsByField.set(field, texts)
  }
  return new Map([...textsByField].map(([field, texts]) => [field, [...texts.values()]]))
}

/** Adds them as far as the field has room. Answers how many. */
export const addOptions = Effect.fnUntraced(function* (
  apps: Apps["Service"],
  grant: AccessGrant,
  missing: ReadonlyMap<Field, ReadonlyArray<string>>
) {
  const fields = [...missing].flatMap(([field, texts]) => {
    const { options } = field.settings as { readonly options: ReadonlyArray<unknown> }
    const newTexts = texts.slice(0, Math.max(0, OPTIONS_MOST - options.length))
    return newTexts.length === 0 ? [] : [{ field, newTexts }]
  })
  if (fields.length === 0) return 0
  yield* apps.update(grant, {
    fields: fields.map(({ field, newTexts }) => {
      const { always_hidden, description, field_id, hidden_if_empty, label, required, unique } = field
      const settings = { options: newTexts.map((text) => ({ text })) }
      return { field_id, config: { label, description, required, unique, always_hidden, hidden_if_empty, settings } }
    })
  })
  return fields.reduce((sum, { newTexts }) => sum + newTexts.length, 0)
})
