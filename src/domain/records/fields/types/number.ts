// `number`: stored rounded to `decimals`, half away from zero (developer-api.md 3.2, decisions A15).
import { Effect, Result, Schema } from "effect"
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import { exactNumber, numberText } from "../../../../platform/primitives/decimals.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { valued } from "../contract/shapes.ts"
import { numberGroups } from "../grouping/valueGroups.ts"
import { numberOf } from "../input/numbers.ts"
import { numberKind } from "../kinds/numberFields.ts"

export const Decimals = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 }))
export const NumberSettings = Schema.Struct({
  decimals: Decimals.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  unit: Schema.NullOr(Schema.String.check(Schema.isMaxLength(50))).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  ),
  unit_location: Schema.Literals(["prefix", "suffix"])
    .annotate({ identifier: "UnitLocation" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("suffix" as const)))
})
export type NumberSettings = typeof NumberSettings.Type

const inexact = "has more digits than a JSON number carries exactly"

/** `12.5 kg`, `€ 12.5`. */
const withUnit = (text: string, { unit, unit_location }: NumberSettings) =>
  unit === null || unit === "" ? text : unit_location === "prefix" ? `${unit} ${text}` : `${text} ${unit}`

/** Number with the decimals that the field shows (decisions A30). */
const displayText = (entry: Entry, { decimals }: NumberSettings) => numberText(entry as number, decimals ?? undefined)

export const number: AssignableType<"number", NumberSettings> = {
  ...numberKind,
  tag: "number",
  label: "Number",
  assignable: true,
  mayBeUnique: true,
  settings: NumberSettings,
  input: Schema.Union([Schema.Finite, Schema.String.annotate({ description: "The same as text" })]),
  parse: (input, field) => {
    if (typeof input === "string" && input.trim() === "") return Result.succeed<Cell>([])
    const value = numberOf(input)
    if (value === null) return Result.fail("must be a number or the text of one")
    const exact = exactNumber(String(input), field.settings.decimals)
    return exact === null || exact === undefined ? Result.fail(inexact) : Result.succeed<Cell>([exact])
  },
  render: (entry) => ({ value: entry }),
  entry: valued(Schema.Finite),
  text: (entry, { settings }) => displayText(entry, settings),
  formatted: (entry, { settings }) => withUnit(displayText(entry, settings), settings),
  title: ([entry], { settings }) => withUnit(numberText(entry as number), settings),
  groups: numberGroups,
  keys: "number",
  sortKey: ({ firstNumber }, { field_id }) => ({ expression: firstNumber(field_id, "numeric"), type: "numeric" })
}
