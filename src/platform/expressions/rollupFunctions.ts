// The figures of action `rollup_iterable_values` (developer-api.md 7.7 rule 3) as functions over a list: the same results, exactly (decisions
// A30).
import type { Rational } from "../primitives/rational.ts"
import { boundedIn, spendEach, spendNumber, sum } from "./costs.ts"
import type { EvaluationScope, ExpressionFunction } from "./Expression.ts"
import { asList, asNumber, compared, isList, isNumber, type Value, whole } from "./Value.ts"

const isEmptyValue = (value: Value) =>
  value === null || (typeof value === "string" && value.trim() === "") || (isList(value) && value.length === 0)

const divide = ({ denominator, numerator }: Rational, count: number, scope: EvaluationScope): Rational =>
  boundedIn({ numerator, denominator: denominator * BigInt(count) }, scope)
const total = (values: ReadonlyArray<Value>, scope: EvaluationScope): Rational =>
  values.reduce<Rational>((rest, value) => spendNumber(sum(rest, asNumber(value), scope), scope), whole(0))
const mean = (values: ReadonlyArray<Value>, scope: EvaluationScope): Value =>
  values.length === 0 ? null : divide(total(values, scope), values.length, scope)

const median = (values: ReadonlyArray<Value>, scope: EvaluationScope): Value => {
  const sorted = values.toSorted((one, other) => compared(one, other) ?? 0)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1 ? sorted[middle]! : mean(sorted.slice(middle - 1, middle + 1), scope)
}

/** A value per item of a list; empty ones count only in the figures that count them. */
type Figure = (present: ReadonlyArray<Value>, count: number, scope: EvaluationScope) => Value

const percent = (part: number, count: number, scope: EvaluationScope): Value =>
  count === 0 ? null : divide(whole(part * 100), count, scope)
const numbersIn = (values: ReadonlyArray<Value>) => values.filter(isNumber)

const figures: Readonly<Record<string, Figure>> = {
  count_all: (_, count) => whole(count),
  count_empty: (present, count) => whole(count - present.length),
  count_not_empty: (present) => whole(present.length),
  percent_empty: (present, count, scope) => percent(count - present.length, count, scope),
  percent_not_empty: (present, count, scope) => percent(present.length, count, scope),
  sum: (present, _, scope) => total(numbersIn(present), scope),
  average: (present, _, scope) => mean(numbersIn(present), scope),
  median: (present, _, scope) => median(numbersIn(present), scope)
}

export const rollups: Readonly<Record<string, ExpressionFunction>> = Object.fromEntries(
  Object.entries(figures).map(([name, figure]) => [
    name,
    {
      least: 1,
      most: 1,
      run: ([list = null], scope) => {
        const values = asList(list)
        spendEach(scope, values, 2)
        return figure(
          values.filter((value) => !isEmptyValue(value)),
          values.length,
          scope
        )
      }
    } satisfies ExpressionFunction
  ])
)
