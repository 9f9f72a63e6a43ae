// `calculation`: a value that an expression makes of the record's other fields (developer-api.md 3.3, 11.3). What depends on the type is
// that of its result; the expression is judged by the app's fields in records/calculations.
import { Effect, Result, Schema } from "effect"
import { schemaProblemsOf } from "../../../../platform/text/schemaProblems.ts"
import type { CalculatedType } from "../contract/FieldType.ts"
import { valued } from "../contract/shapes.ts"
import { dateGroups } from "../grouping/dateGroups.ts"
import { booleanGroups, numberGroups, textGroups } from "../grouping/valueGroups.ts"
import { isObject, refuseWrite } from "../input/writeInput.ts"
import { booleanFilter } from "../kinds/booleanFields.ts"
import { DateEntryView, dateFilter, renderDate, singleDays, storedDateKind } from "../kinds/dateFields.ts"
import { plainTextFilter } from "../kinds/textFields.ts"
import type { Problem } from "../model/Field.ts"
import { noCell } from "../sql/predicates.ts"
import { Decimals, NumberSettings, number } from "./number.ts"
import { singleText } from "./single_text.ts"

const calculationResults = ["text", "number", "date", "boolean"] as const
export type CalculationResult = (typeof calculationResults)[number]

const ResultSetting = Schema.Literals(calculationResults).annotate({ identifier: "CalculationResult" })
const DecimalsSetting = Schema.NullOr(Decimals)
const CalculationSettings = Schema.Struct({
  expression: Schema.String.annotate({
    description: "Over other fields of the record and of related records, by their `external_id`"
  }),
  result: ResultSetting,
  decimals: DecimalsSetting.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  unit: NumberSettings.fields.unit,
  unit_location: NumberSettings.fields.unit_location
})
export type CalculationSettings = typeof CalculationSettings.Type

const FieldInCode = Schema.Struct({
  kind: Schema.Literal("variable"),
  source: Schema.Literal("field"),
  field_id: Schema.Int
}).annotate({ identifier: "FieldInExpression", description: "Reference of a code value; any other member is ignored" })
const ExpressionInput = Schema.Union([
  Schema.String,
  Schema.Array(Schema.Union([Schema.String, FieldInCode]))
]).annotate({
  description: "The text of the expression, or a code value of texts and references to fields of the record"
})

const shortReference = /\{\{\s*field\.([a-z0-9_]+)\s*\}\}/g

/** The text of a code value: a reference reads as `field(4401)`, a short one (`{{field.price}}`) as `field("price")`. */
const expressionText = (input: unknown): string | null => {
  const parts = Array.isArray(input) ? input : [input]
  const texts = parts.map((part: unknown) =>
    typeof part === "string"
      ? part.replaceAll(shortReference, (_, name) => `field("${name}")`)
      : isObject(part) && part["source"] === "field" && Number.isSafeInteger(part["field_id"])
        ? `field(${part["field_id"]})`
        : null
  )
  return texts.includes(null) ? null : texts.join("").trim()
}

const decode = Schema.decodeUnknownResult(CalculationSettings)

const changeSettings = (
  previous: CalculationSettings | null,
  input: Readonly<Record<string, unknown>>
): Result.Result<{ readonly settings: CalculationSettings }, Problem> => {
  const stray = Object.keys(input).find((key) => !Object.hasOwn(CalculationSettings.fields, key))
  if (stray !== undefined) return Result.fail(`${stray}: a calculation has no such setting`)
  const expression = input["expression"] === undefined ? previous?.expression : expressionText(input["expression"])
  if (expression === null) return Result.fail("expression: must be a text, or a code value of texts and fields")
  if (expression === undefined) return Result.fail("expression: is missing")
  if (previous !== null && input["result"] !== undefined && input["result"] !== previous.result)
    return Result.fail(`result: it is ${previous.result} and cannot be changed`)
  return Result.mapBoth(decode({ ...previous, ...input, expression }), {
    onFailure: ({ issue }) => {
      const { message, path } = schemaProblemsOf(issue)[0]!
      return `${path.join(".")}: ${message}`
    },
    onSuccess: (settings) => ({ settings })
  })
}

const common = {
  tag: "calculation",
  type: "calculation",
  label: "Calculation",
  assignable: false,
  multiple: false,
  titleCapable: true,
  fact: null,
  settings: CalculationSettings,
  settingsInput: Schema.Struct({
    expression: Schema.optionalKey(ExpressionInput),
    result: Schema.optionalKey(ResultSetting),
    decimals: Schema.optionalKey(DecimalsSetting),
    unit: Schema.optionalKey(Schema.NullOr(Schema.String)),
    unit_location: Schema.optionalKey(Schema.Literals(["prefix", "suffix"]))
  }),
  changeSettings,
  checkDefinition: ({ required }) => (required ? "config.required: a calculation is never written" : null),
  parse: refuseWrite
} satisfies Partial<CalculatedType>

/** Traits that conditions, listings and readers go by, by result. */
const byResult: Readonly<Record<CalculationResult, CalculatedType>> = {
  text: {
    ...common,
    kind: "text",
    channels: ["text"],
    operators: "TEXT",
    plainText: true,
    render: (entry) => ({ value: entry }),
    text: singleText.text,
    title: singleText.title!,
    compared: singleText.compared,
    groups: textGroups,
    filter: { ...plainTextFilter, otherTypes: ["text"] },
    keys: "text",
    sortKey: singleText.sortKey
  },
  number: {
    ...common,
    kind: "number",
    channels: ["number"],
    operators: "NUM",
    render: (entry) => ({ value: entry }),
    text: number.text,
    formatted: number.formatted!,
    title: number.title!,
    compared: number.compared,
    groups: numberGroups,
    filter: { ...number.filter, otherTypes: ["number"] },
    keys: "number",
    sortKey: number.sortKey
  },
  date: {
    ...common,
    kind: "dates",
    channels: ["date"],
    operators: "DATE",
    render: (entry) => renderDate(entry, false),
    text: storedDateKind.text,
    title: storedDateKind.title,
    compared: storedDateKind.compared,
    groups: dateGroups,
    filter: { ...dateFilter, otherTypes: ["date"], passes: singleDays, empty: noCell },
    keys: "day",
    sortKey: storedDateKind.sortKey
  },
  boolean: {
    ...common,
    kind: "result",
    channels: ["boolean"],
    operators: "BOOL",
    render: (entry) => ({ value: entry === "true" }),
    text: (entry) => String(entry),
    compared: (cell) => ({ set: "BOOL", boolean: cell.length === 0 ? null : cell[0] === "true" }),
    groups: booleanGroups,
    filter: booleanFilter,
    keys: "text",
    sortKey: ({ firstText, words }, { field_id }) => words(firstText(field_id))
  }
}

/** Stands in where only the type is known: the operators and channels of all results. */
export const calculation: CalculatedType<"result", CalculationSettings> = {
  ...byResult.text,
  kind: "result",
  channels: ["text", "number", "date", "boolean"],
  operators: "RESULT",
  entry: Schema.Union([valued(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])), DateEntryView]),
  filter: {
    ...plainTextFilter,
    matchTypes: [...new Set([...plainTextFilter.matchTypes, ...number.filter.matchTypes, ...dateFilter.matchTypes])],
    otherTypes: ["text", "number", "date", "boolean"],
    ofDates: true
  }
}

export const calculationOf = (settings: unknown): CalculatedType => {
  const { result } = (settings ?? {}) as Partial<CalculationSettings>
  return result === undefined ? calculation : byResult[result]
}
