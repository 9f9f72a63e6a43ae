// The figures of action `rollup_iterable_values` (developer-api.md 7.7 rule 3) as functions over a list: the same results, exactly (decisions
// A30).
import { plus, type Rational } from "../primitives/rational.ts"
import type { EvaluationScope, ExpressionFunction } from "./Expression.ts"
import { asList, asNumber, bounded, compared, isList, isNumber, type Value, whole } from "./Value.ts"

type Spend = (scope: EvaluationScope, amount: number) => void

const isEmptyValue = (value: Value) =>
  value === null || (typeof value === "string" && value.trim() === "") || (isList(value) && value.length === 0)

const over = ({ denominator, numerator }: Rational, count: number): Rational =>
  bounded({ numerator, denominator: denominator * BigInt(count) })
const total = (values: ReadonlyArray<Value>): Rational =>
  values.reduce<Rational>((sum, value) => bounded(plus(sum, asNumber(value))), whole(0))
const mean = (values: ReadonlyArray<Value>): Value => (values.length === 0 ? null : over(total(values), values.length))

const median = (values: ReadonlyArray<Value>): Value => {
  const sorted = values.toSorted((one, other) => compared(one, other) ?? 0)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1 ? sorted[middle]! : mean(sorted.slice(middle - 1, middle + 1))
}

/** A value per item of a list; empty ones count only in the figures that count them. */
type Figure = (present: ReadonlyArray<Value>, count: number) => Value

const percent = (part: number, count: number): Value => (count === 0 ? null : over(whole(part * 100), count))
const numbersIn = (values: ReadonlyArray<Value>) => values.filter(isNumber)

const figures: Readonly<Record<string, Figure>> = {
  count_all: (_, count) => whole(count),
  count_empty: (present, count) => whole(count - present.length),
  count_not_empty: (present) => whole(present.length),
  percent_empty: (present, count) => percent(count - present.length, count),
  percent_not_empty: (present, count) => percent(present.length, count),
  sum: (present) => total(numbersIn(present)),
  average: (present) => mean(numbersIn(present)),
  median: (present) => median(numbersIn(present))
}

export const rollups = (spend: Spend): Readonly<Record<string, ExpressionFunction>> =>
  Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [
      name,
      {
        least: 1,
        most: 1,
        run: ([list = null], scope) => {
          const values = asList(list)
          spend(scope, values.length * 2)
          return figure(
            values.filter((value) => !isEmptyValue(value)),
            values.length
          )
        }
      } satisfies ExpressionFunction
    ])
  )
