// The ten figures of a rollup (service.md 2.7, developer-api.md 7.7 rule 3).
import { numberOfRational, sumOf } from "../../../../platform/primitives/rational.ts"
import { numberOf } from "../../../records/fields/input/numbers.ts"
import type { StepOf } from "../runtime.ts"

const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0)

/** Exact except for the last rounding to a number (decisions A30). */
const mean = (values: ReadonlyArray<number>): number => {
  const { denominator, numerator } = sumOf(values)
  return numberOfRational({ numerator, denominator: denominator * BigInt(values.length) })
}

const median = (sorted: ReadonlyArray<number>): number => {
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : mean(sorted.slice(middle - 1, middle + 1))
}

const DATE = /^\d{4}-\d{2}-\d{2}/

/** `min` and `max` of numbers, or of dates as text, which keep their order. */
const extreme = (values: ReadonlyArray<unknown>, sign: 1 | -1): unknown => {
  const dates = values.every((value) => typeof value === "string" && DATE.test(value))
  const sorted = dates
    ? (values as ReadonlyArray<string>).toSorted()
    : numbersIn(values).toSorted((one, other) => one - other)
  return sorted.at(sign === 1 ? -1 : 0) ?? null
}

const numbersIn = (values: ReadonlyArray<unknown>): ReadonlyArray<number> =>
  values.flatMap((value) => numberOf(value) ?? [])

export type RollupType = StepOf<"rollup_iterable_values">["config"]["rollup_type"]

/** Returns the figure over one value per item; empty values count only in the figures that count them. */
export const rollup = (type: RollupType, values: ReadonlyArray<unknown>): unknown => {
  const nonEmptyValues = values.filter((value) => !isEmptyValue(value))
  const valueCount = values.length
  const percent = (count: number) => (valueCount === 0 ? null : (count * 100) / valueCount)
  switch (type) {
    case "count_all":
      return valueCount
    case "count_empty":
      return valueCount - nonEmptyValues.length
    case "count_not_empty":
      return nonEmptyValues.length
    case "percent_empty":
      return percent(valueCount - nonEmptyValues.length)
    case "percent_not_empty":
      return percent(nonEmptyValues.length)
    case "sum":
      return numberOfRational(sumOf(numbersIn(nonEmptyValues)))
    case "average": {
      const numbers = numbersIn(nonEmptyValues)
      return numbers.length === 0 ? null : mean(numbers)
    }
    case "median": {
      const numbers = numbersIn(nonEmptyValues).toSorted((one, other) => one - other)
      return numbers.length === 0 ? null : median(numbers)
    }
    case "min":
      return extreme(nonEmptyValues, -1)
    case "max":
      return extreme(nonEmptyValues, 1)
  }
}
