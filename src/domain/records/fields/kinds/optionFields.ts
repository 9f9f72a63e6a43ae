// Options of category and status fields: colors, accepted input, and their changes by definitions (3.1, 3.2).
import { Effect, Result, Schema } from "effect"
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import { nearestHint } from "../../../../platform/text/nearest.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { id, upTo, valued } from "../contract/shapes.ts"
import { type Color as ColorName, palette } from "../input/optionColors.ts"
import { isId } from "../input/writeInput.ts"
import type { FilterContext } from "../matching/filterTests.ts"
import type { Field, Problem } from "../model/Field.ts"

const Color = Schema.Literals(Object.keys(palette) as ReadonlyArray<ColorName>).annotate({ identifier: "OptionColor" })

const optionFields = { id: Schema.Int, text: Schema.String, color: Color }
const Option = Schema.Struct(optionFields).annotate({ identifier: "CategoryOption" })
const StatusOption = Schema.Struct({ ...optionFields, means_completed: Schema.Boolean })

export interface AnyOption {
  readonly id: number
  readonly text: string
  readonly color: ColorName
  readonly means_completed?: boolean
}
export interface OptionSettings {
  readonly options: ReadonlyArray<AnyOption>
}

const optionsOf = <S extends Schema.Codec<any, any>>(option: S) =>
  Schema.Struct({ options: Schema.Array(option).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))) })
export const CategorySettings = optionsOf(Option)
export const StatusSettings = optionsOf(StatusOption)

/** An option as it is sent with a field's definition: with `id` it changes that one, without it is new. */
const optionInput = {
  id: Schema.optionalKey(id),
  text: Schema.optionalKey(upTo(500).annotate({ description: "Needed for a new option" })),
  color: Schema.optionalKey(Color)
}
const optionsInput = <S extends Schema.Top>(option: S) =>
  Schema.Struct({
    options: Schema.optionalKey(Schema.Array(option).check(Schema.isMaxLength(500))),
    options_to_delete: Schema.optionalKey(Schema.Array(Schema.Struct({ id }).annotate({ identifier: "OptionRef" })))
  })
export const CategorySettingsInput = optionsInput(
  Schema.Struct(optionInput).annotate({ identifier: "CategoryOptionInput" })
)
export const StatusSettingsInput = optionsInput(
  Schema.Struct({ ...optionInput, means_completed: Schema.optionalKey(Schema.Boolean) })
)

/** An option's id, or its text. */
export const OptionInput = Schema.Union([
  id,
  Schema.String.annotate({ description: "The exact text of an option" })
]).annotate({ identifier: "OptionInput" })

const shownOption = {
  id: Schema.Int,
  text: Schema.String,
  color: Schema.String.annotate({ description: "Hexadecimal" })
}
export const OptionEntry = valued(Schema.Struct(shownOption).annotate({ identifier: "Option" }))
export const StatusEntry = valued(
  Schema.Struct({ ...shownOption, means_completed: Schema.Boolean }).annotate({ identifier: "StatusOption" })
)

export const optionById = (field: Field<OptionSettings>, entry: Entry) =>
  field.settings.options.find((option) => option.id === entry)

const nearestOption = (input: number | string, { settings }: Field<OptionSettings>) =>
  typeof input === "string"
    ? nearestHint(
        input,
        settings.options.map(({ text }) => text)
      )
    : ""

/** An option id, or the exact text of an option. */
export const optionId = (input: unknown, field: Field<OptionSettings>): Result.Result<number, Problem> => {
  if (!isId(input) && typeof input !== "string") return Result.fail("must be an option id or the text of an option")
  const option = field.settings.options.find((option) => option.id === input || option.text === input)
  return option === undefined
    ? Result.fail(`names no option of the field: ${JSON.stringify(input)}${nearestOption(input, field)}`)
    : Result.succeed(option.id)
}

const renderOption = (entry: Entry, field: Field<OptionSettings>) => {
  const option = optionById(field, entry)
  return option === undefined ? null : { value: { ...option, color: palette[option.color] } }
}
export const optionText = (entry: Entry, field: Field<OptionSettings>) => optionById(field, entry)?.text ?? ""
export const isCompleted = (cell: Cell, field: Field<OptionSettings>) =>
  cell.length > 0 && optionById(field, cell[0]!)?.means_completed === true

/** Parses a filter's values; keeps stored ones, although their option may have been deleted. */
export const filterOption =
  (field: Field<OptionSettings>, { stored }: FilterContext) =>
  (value: unknown) =>
    stored === true && isId(value) ? Result.succeed(value) : optionId(value, field)

export const optionKind = {
  kind: "options",
  channels: ["ids"],
  assignable: true,
  titleCapable: true,
  render: renderOption,
  text: optionText,
  sortKey: ({ firstText, sql }, { field_id, settings }) => {
    const order = (settings as OptionSettings).options.map((option) => String(option.id))
    return { expression: sql`array_position(${order}::text[], ${firstText(field_id)})::numeric`, type: "numeric" }
  }
} satisfies Partial<AssignableType<"options">>
