// Options that a conversion adds for the texts that it meets (developer-api.md 11.4), in the order in which it meets them. New ones have
// negative ids until the batch reserves real ones. Pure.
import { Result } from "effect"
import type { Cell } from "../../../platform/primitives/Cell.ts"
import { type Color, palette } from "../fields/input/optionColors.ts"
import { textProblem } from "../fields/input/writeInput.ts"
import { MAX_OPTION_TEXT, MAX_OPTIONS } from "../fields/kinds/optionChanges.ts"
import type { AnyOption, OptionSettings } from "../fields/kinds/optionFields.ts"
import type { Field, Problem } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"

const colors = Object.keys(palette) as ReadonlyArray<Color>

/** The field with more options. */
export const withOptions = (field: Field, options: ReadonlyArray<AnyOption>): Field =>
  options.length === 0
    ? field
    : {
        ...field,
        settings: { ...field.settings, options: [...(field.settings as OptionSettings).options, ...options] }
      }

/** @param to the new field with the options that it has so far */
export const optionMaker = (to: Field) => {
  const existingOptions = typeOf(to).kind === "options" ? (to.settings as OptionSettings).options : []
  const idsByText = new Map(existingOptions.map(({ id, text }) => [text, id]))
  const added: Array<AnyOption> = []

  const optionNamed = (text: string): Result.Result<number, Problem> => {
    const knownId = idsByText.get(text)
    if (knownId !== undefined) return Result.succeed(knownId)
    const problem = textProblem(text, MAX_OPTION_TEXT)
    if (problem !== null) return Result.fail(problem)
    const count = existingOptions.length + added.length
    if (count >= MAX_OPTIONS)
      return Result.fail(`would be option ${MAX_OPTIONS + 1}, and a field has at most ${MAX_OPTIONS}`)
    const id = -1 - added.length
    idsByText.set(text, id)
    added.push({
      id,
      text,
      color: colors[count % colors.length]!,
      ...(to.field_type === "status" ? { means_completed: false } : {})
    })
    return Result.succeed(id)
  }

  return { added, hasOption: (text: string) => idsByText.has(text), optionNamed }
}

/** The cell with ids that the database has reserved. @param idOf real id of a provisional one */
export const withReserved = (cell: Cell, key: "id" | "embed_id" | null, idOf: (id: number) => number): Cell =>
  cell.map((entry) => {
    if (key === null) return idOf(entry as number)
    const provisionalEntry = entry as unknown as Record<string, number>
    return { ...provisionalEntry, [key]: idOf(provisionalEntry[key]!) } as unknown as (typeof cell)[number]
  })
