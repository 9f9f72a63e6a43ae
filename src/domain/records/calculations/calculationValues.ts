// Values of fields as expressions read them, and results as fields store them (developer-api.md 11.3). Pure.
import { Result } from "effect"
import { newScope, type StepBudget } from "../../../platform/expressions/Expression.ts"
import { attempt } from "../../../platform/expressions/evaluateExpression.ts"
import { functions, numberMethods } from "../../../platform/expressions/functions.ts"
import { asText } from "../../../platform/expressions/texts.ts"
import { isList, isNumber, kindOf, numberValue, type Value, whole } from "../../../platform/expressions/Value.ts"
import type { Cell, DateEntry } from "../../../platform/primitives/Cell.ts"
import { exactNumber } from "../../../platform/primitives/decimals.ts"
import { numberOfRational } from "../../../platform/primitives/rational.ts"
import { parseMoment } from "../fields/input/moments.ts"
import { textProblem } from "../fields/input/writeInput.ts"
import { type Field, nothingFound } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import type { CalculationResult, CalculationSettings } from "../fields/types/calculation.ts"

/** Fields that no expression reads: known only once the record is there, or a person. */
const unread = new Set(["unique_id", "created_by", "last_modified_by"])
export const isReadable = ({ field_type }: Pick<Field, "field_type">) => !unread.has(field_type)

/** An entry as an expression reads it: records, users and files by their ids, since what they are called is not the record's own. */
const entryValue = (entry: Cell[number], field: Field): Value => {
  const { kind, text } = typeOf(field)
  switch (kind) {
    case "number":
    case "records":
    case "users":
    case "files":
      return numberValue(entry as number)
    case "dates":
      return (entry as DateEntry).start
    case "result":
      return entry === "true"
    default:
      return text(entry, field, nothingFound) || null
  }
}

/** A field's value: a list where it may hold several entries, otherwise one, `null` if it is empty. */
export const cellValue = (cell: Cell, field: Field): Value =>
  typeOf(field).multiple
    ? cell.map((entry) => entryValue(entry, field))
    : cell.length === 0
      ? null
      : entryValue(cell[0]!, field)

/** Scope of the work between a result and its cell. */
const resultScope = (budget: StepBudget) =>
  newScope({ record: { field: () => null }, related: () => [], today: "" }, budget)

/** Longest text that a calculation stores. */
const TEXT = 5_000

type CellResult = Result.Result<Cell, string>
const wrong = (value: Value, wanted: string): CellResult => Result.fail(`gives ${kindOf(value)}, not ${wanted}`)

const textCell = (value: Value, budget: StepBudget): CellResult => {
  if (value !== null && typeof value === "object" && !isNumber(value) && !isList(value)) return wrong(value, "a text")
  return Result.flatMap(
    attempt(() => asText(value, resultScope(budget)).trim()),
    (text) => {
      const problem = text === "" ? null : textProblem(text, TEXT)
      return problem === null ? Result.succeed(text === "" ? [] : [text]) : Result.fail(`the text ${problem}`)
    }
  )
}

const numberCell = (value: Value, decimals: number | null, budget: StepBudget): CellResult => {
  if (!isNumber(value)) return wrong(value, "a number")
  if (decimals === null) {
    const number = numberOfRational(value)
    return Number.isFinite(number) ? Result.succeed([number]) : Result.fail("the number is too large")
  }
  const fixed = numberMethods["toFixed"]!.run([value, whole(decimals)], resultScope(budget))
  const exact = exactNumber(String(fixed), decimals)
  return exact === null || exact === undefined
    ? Result.fail("the number has more digits than can be stored exactly")
    : Result.succeed([exact])
}

const dateCell = (value: Value): CellResult => {
  const moment = typeof value === "string" ? parseMoment(value.slice(0, 40)) : null
  return moment === null ? wrong(value, "a date") : Result.succeed([{ start: moment }])
}

type CellMaker = (value: Value, budget: StepBudget, settings: CalculationSettings) => CellResult

const cells: Readonly<Record<CalculationResult, CellMaker>> = {
  text: textCell,
  number: (value, budget, { decimals }) => numberCell(value, decimals, budget),
  date: dateCell,
  boolean: (value) => (typeof value === "boolean" ? Result.succeed([String(value)]) : wrong(value, "true or false"))
}

/** The cell that holds the result; an empty value gives an empty one. */
export const resultCell = (value: Value, settings: CalculationSettings, budget: StepBudget): CellResult =>
  value === null || (value === "" && settings.result !== "boolean")
    ? Result.succeed([])
    : cells[settings.result](value, budget, settings)

/** Names that expressions call. */
export const functionNames = ["field", "related", ...Object.keys(functions)]
