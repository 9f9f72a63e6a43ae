// Changes the options of a field with its definition (developer-api.md 3.1).
import { Result } from "effect"
import type { SettingsChange, SettingsContext } from "../contract/FieldType.ts"
import { type Color, palette } from "../input/optionColors.ts"
import { closed, each, textProblem } from "../input/writeInput.ts"
import type { Problem } from "../model/Field.ts"
import type { AnyOption, OptionSettings } from "./optionFields.ts"

export const MAX_OPTIONS = 500
export const MAX_OPTION_TEXT = 500

/** Parses one sent option: with `id` it changes an existing one, without `id` it is new. */
const changeOption = (
  input: unknown,
  status: boolean,
  known: ReadonlyMap<number, AnyOption>,
  context: SettingsContext
) =>
  Result.gen(function* () {
    const members = yield* closed(input, ["id", "text", "color", ...(status ? ["means_completed"] : [])], "an object")
    const formerOption = members["id"] === undefined ? undefined : known.get(members["id"] as number)
    if (members["id"] !== undefined && formerOption === undefined) {
      return yield* Result.fail(`names no option of the field: ${JSON.stringify(members["id"])}`)
    }
    const text = members["text"] ?? formerOption?.text
    if (typeof text !== "string" || text.trim() === "") return yield* Result.fail("needs a text")
    const problem = textProblem(text, MAX_OPTION_TEXT)
    if (problem !== null) return yield* Result.fail(problem)
    const color = members["color"] ?? formerOption?.color ?? "gray"
    if (typeof color !== "string" || !Object.hasOwn(palette, color)) {
      return yield* Result.fail(`has no color of ${Object.keys(palette).join(", ")}`)
    }
    const completed = members["means_completed"] ?? formerOption?.means_completed ?? false
    if (typeof completed !== "boolean") return yield* Result.fail("has a `means_completed` that is not a boolean")
    const option: AnyOption = {
      id: formerOption?.id ?? context.optionId(),
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
      const members = yield* closed(input, ["options", "options_to_delete"], "an object")
      const formerOptions = previous?.options ?? []
      const optionsById = new Map(formerOptions.map((option) => [option.id, option]))
      if (members["options"] !== undefined && !Array.isArray(members["options"])) {
        return yield* Result.fail("options must be an array")
      }
      const changed = yield* Result.mapError(
        each((members["options"] as ReadonlyArray<unknown>) ?? [], (option) =>
          changeOption(option, status, optionsById, context)
        ),
        (problem) => `options${problem}`
      )
      const deletedIds = new Set(
        yield* Result.mapError(
          idsToDelete(members["options_to_delete"], optionsById),
          (problem) => `options_to_delete${problem}`
        )
      )
      const byId = new Map(changed.map((option) => [option.id, option]))
      if (byId.size < changed.length) return yield* Result.fail("options names one option twice")
      const clash = changed.find((option) => deletedIds.has(option.id))
      if (clash !== undefined) return yield* Result.fail(`options_to_delete names the changed option ${clash.id}`)
      const options = [
        ...formerOptions.filter((option) => !deletedIds.has(option.id)).map((option) => byId.get(option.id) ?? option),
        ...changed.filter((option) => !optionsById.has(option.id))
      ]
      if (options.length > MAX_OPTIONS) return yield* Result.fail(`options must be at most ${MAX_OPTIONS}`)
      const successor = (id: number) =>
        status
          ? (options.find((option) => option.means_completed === optionsById.get(id)!.means_completed)?.id ?? null)
          : null
      return { settings: { options }, removed: [...deletedIds].map((id) => ({ id, to: successor(id) })) }
    })
