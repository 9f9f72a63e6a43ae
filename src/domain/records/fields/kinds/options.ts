// Options of category and status fields: colors, what a write may name, how definitions change them (3.1, 3.2).
import { Effect, Result, Schema } from "effect"
import type { Cell, Entry } from "../../../../ground/primitives/Cell.ts"
import { closed, each, isId, textProblem } from "../input/writeInput.ts"
import type { Field, Problem, SettingsChange, SettingsContext } from "../model/FieldType.ts"

/** Names in definitions, hex in values. */
export const palette = {
  gray: "9AA0A6",
  brown: "8D6E63",
  orange: "F2994A",
  yellow: "F2C94C",
  green: "27AE60",
  blue: "2F80ED",
  purple: "9B51E0",
  pink: "EB5FA6",
  red: "EB5757"
} as const
export type Color = keyof typeof palette
const Color = Schema.Literals(Object.keys(palette) as ReadonlyArray<Color>)

const MAX_OPTIONS = 500
const MAX_OPTION_TEXT = 500

const optionFields = { id: Schema.Int, text: Schema.String, color: Color }
export const Option = Schema.Struct(optionFields)
export const StatusOption = Schema.Struct({ ...optionFields, means_completed: Schema.Boolean })

export interface AnyOption {
  readonly id: number
  readonly text: string
  readonly color: Color
  readonly means_completed?: boolean
}
export interface OptionSettings {
  readonly options: ReadonlyArray<AnyOption>
}

const optionsOf = <S extends Schema.Codec<any, any>>(option: S) =>
  Schema.Struct({ options: Schema.Array(option).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))) })
export const CategorySettings = optionsOf(Option)
export const StatusSettings = optionsOf(StatusOption)

export const optionById = (field: Field<OptionSettings>, entry: Entry) =>
  field.settings.options.find((option) => option.id === entry)

/** An option id, or the exact text of an option. */
export const optionId = (input: unknown, field: Field<OptionSettings>): Result.Result<number, Problem> => {
  if (!isId(input) && typeof input !== "string") return Result.fail("must be an option id or the text of an option")
  const option = field.settings.options.find((option) => option.id === input || option.text === input)
  return option === undefined
    ? Result.fail(`names no option of the field: ${JSON.stringify(input)}`)
    : Result.succeed(option.id)
}

export const renderOption = (entry: Entry, field: Field<OptionSettings>) => {
  const option = optionById(field, entry)
  return option === undefined ? null : { value: { ...option, color: palette[option.color] } }
}
export const optionText = (entry: Entry, field: Field<OptionSettings>) => optionById(field, entry)?.text ?? ""
export const isCompleted = (cell: Cell, field: Field<OptionSettings>) =>
  cell.length > 0 && optionById(field, cell[0]!)?.means_completed === true

/** One sent option: with `id` it changes that one, without it is new. */
const changeOption = (
  input: unknown,
  status: boolean,
  known: ReadonlyMap<number, AnyOption>,
  context: SettingsContext
) =>
  Result.gen(function* () {
    const sent = yield* closed(input, ["id", "text", "color", ...(status ? ["means_completed"] : [])], "an object")
    const before = sent["id"] === undefined ? undefined : known.get(sent["id"] as number)
    if (sent["id"] !== undefined && before === undefined) {
      return yield* Result.fail(`names no option of the field: ${JSON.stringify(sent["id"])}`)
    }
    const text = sent["text"] ?? before?.text
    if (typeof text !== "string" || text.trim() === "") return yield* Result.fail("needs a text")
    const problem = textProblem(text, MAX_OPTION_TEXT)
    if (problem !== null) return yield* Result.fail(problem)
    const color = sent["color"] ?? before?.color ?? "gray"
    if (typeof color !== "string" || !Object.hasOwn(palette, color)) {
      return yield* Result.fail(`has no color of ${Object.keys(palette).join(", ")}`)
    }
    const completed = sent["means_completed"] ?? before?.means_completed ?? false
    if (typeof completed !== "boolean") return yield* Result.fail("has a `means_completed` that is not a boolean")
    const option: AnyOption = {
      id: before?.id ?? context.optionId(),
      text,
      color: color as Color,
      ...(status ? { means_completed: completed } : {})
    }
    return option
  })

const idsToDelete = (input: unknown, known: ReadonlyMap<number, AnyOption>) =>
  input === undefined
    ? Result.succeed<ReadonlyArray<number>>([])
    : Array.isArray(input)
      ? each(input, (item) =>
          Result.flatMap(closed(item, ["id"], "an object `{ id }`"), ({ id }) =>
            known.has(id as number)
              ? Result.succeed(id as number)
              : Result.fail(`names no option of the field: ${JSON.stringify(id)}`)
          )
        )
      : Result.fail("must be an array")

/** Options left out are kept; `options_to_delete` removes. A removed status moves on to one that means the same. */
export const changeOptions =
  (status: boolean) =>
  (
    previous: OptionSettings | null,
    input: Readonly<Record<string, unknown>>,
    context: SettingsContext
  ): Result.Result<SettingsChange<OptionSettings>, Problem> =>
    Result.gen(function* () {
      const sent = yield* closed(input, ["options", "options_to_delete"], "an object")
      const before = previous?.options ?? []
      const known = new Map(before.map((option) => [option.id, option]))
      if (sent["options"] !== undefined && !Array.isArray(sent["options"])) {
        return yield* Result.fail("options must be an array")
      }
      const changed = yield* Result.mapError(
        each((sent["options"] as ReadonlyArray<unknown>) ?? [], (option) =>
          changeOption(option, status, known, context)
        ),
        (problem) => `options${problem}`
      )
      const gone = new Set(
        yield* Result.mapError(
          idsToDelete(sent["options_to_delete"], known),
          (problem) => `options_to_delete${problem}`
        )
      )
      const byId = new Map(changed.map((option) => [option.id, option]))
      if (byId.size < changed.length) return yield* Result.fail("options names one option twice")
      const clash = changed.find((option) => gone.has(option.id))
      if (clash !== undefined) return yield* Result.fail(`options_to_delete names the changed option ${clash.id}`)
      const options = [
        ...before.filter((option) => !gone.has(option.id)).map((option) => byId.get(option.id) ?? option),
        ...changed.filter((option) => !known.has(option.id))
      ]
      if (options.length > MAX_OPTIONS) return yield* Result.fail(`options must be at most ${MAX_OPTIONS}`)
      const successor = (id: number) =>
        status
          ? (options.find((option) => option.means_completed === known.get(id)!.means_completed)?.id ?? null)
          : null
      return { settings: { options }, removed: [...gone].map((id) => ({ id, to: successor(id) })) }
    })
