// Groups the inputs of an upsert that can be written together: none depends on the effect of another (developer-api.md 11.2). The others
// follow, as if each had been sent separately. Pure.
import type { Cells } from "../../../platform/primitives/Cell.ts"
import { typeOf } from "../fields/registry.ts"
import { keyText, type UniqueKey, uniqueKeys } from "../fields/uniqueKeys.ts"
import { type AppDefinition, fieldByKey } from "../model/AppDefinition.ts"
import type { FieldInputs } from "./fieldInputs.ts"

export interface MatchedInput {
  readonly index: number
  readonly fields: FieldInputs
  readonly keys: ReadonlyArray<UniqueKey>
}

/** The first inputs that share neither a value nor a record. @param found by input */
export const drawnRound = (waiting: ReadonlyArray<MatchedInput>, found: ReadonlyArray<number | undefined>) => {
  const values = new Set<string>()
  const records = new Set<number>()
  const round: Array<MatchedInput & { readonly target: number | undefined }> = []
  for (const [at, input] of waiting.entries()) {
    const target = found[at]
    const inputKeys = input.keys.map(keyText)
    if (inputKeys.some((key) => values.has(key)) || (target !== undefined && records.has(target))) break
    for (const key of inputKeys) values.add(key)
    if (target !== undefined) records.add(target)
    round.push({ ...input, target })
  }
  return round
}

const isPlain = (input: unknown) =>
  typeof input === "string" || (Array.isArray(input) && input.every((one) => typeof one === "string"))

/** Omits plain texts that name the existing values of entries with ids: written again they would become new entries. */
export const withoutKept = (
  definition: AppDefinition,
  fields: FieldInputs,
  keys: ReadonlyArray<UniqueKey>,
  cells: Cells
): FieldInputs =>
  Object.fromEntries(
    Object.entries(fields).filter(([key, input]) => {
      const field = fieldByKey(definition, key)
      if (field === undefined || typeOf(field).entryIds !== true || !isPlain(input)) return true
      const sentKeys = new Set(keys.filter(({ field_id }) => field_id === field.field_id).map(({ value }) => value))
      const heldKeys = uniqueKeys(field, cells[field.field_id] ?? [])
      return sentKeys.size === 0 || sentKeys.size !== heldKeys.length || heldKeys.some((value) => !sentKeys.has(value))
    })
  )
