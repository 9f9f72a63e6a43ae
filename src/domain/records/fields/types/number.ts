// `number`: stored rounded to `decimals`, half away from zero (developer-api.md 3.2, decisions A15).
import { Effect, Result, Schema } from "effect"
import type { Cell } from "../../../../ground/primitives/Cell.ts"
import { exactNumber } from "../../../../ground/primitives/decimals.ts"
import type { FieldType } from "../model/FieldType.ts"

export const NumberSettings = Schema.Struct({
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(0))
  ),
  unit: Schema.NullOr(Schema.String.check(Schema.isMaxLength(50))).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  ),
  unit_location: Schema.Literals(["prefix", "suffix"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("suffix" as const))
  )
})
export type NumberSettings = typeof NumberSettings.Type

/** A number, or the text of one. */
export const numberOf = (input: unknown): number | null => {
  const value =
    typeof input === "string" && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?\s*$/i.test(input) ? Number(input) : input
  return typeof value === "number" && Number.isFinite(value) ? value : null
}

const inexact = "has more digits than a JSON number carries exactly"

/** `12.5 kg`, `€ 12.5`. */
export const withUnit = (value: number, { unit, unit_location }: NumberSettings) =>
  unit === null || unit === "" ? String(value) : unit_location === "prefix" ? `${unit} ${value}` : `${value} ${unit}`

export const number: FieldType<NumberSettings> = {
  tag: "number",
  type: "number",
  label: "Number",
  channel: "number",
  operators: "NUM",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: NumberSettings,
  parse: (input, field) => {
    if (typeof input === "string" && input.trim() === "") return Result.succeed<Cell>([])
    const value = numberOf(input)
    if (value === null) return Result.fail("must be a number or the text of one")
    const exact = exactNumber(String(input), field.settings.decimals)
    return exact === null || exact === undefined ? Result.fail(inexact) : Result.succeed<Cell>([exact])
  },
  render: (entry) => ({ value: entry }),
  text: (entry) => String(entry),
  title: ([entry], field) => withUnit(entry as number, field.settings)
}
