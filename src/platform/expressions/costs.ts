// Costs of an expression's work (developer-api.md 11.3): a step is about half a microsecond; long numbers and texts cost as many as they
// take longer.
import { plus, type Rational } from "../primitives/rational.ts"
import type { EvaluationScope } from "./Expression.ts"
import { bounded, fail, isNumber, type Value } from "./Value.ts"

/** Takes work off the budget. */
export const spend = ({ budget }: Pick<EvaluationScope, "budget">, amount: number) => {
  budget.left -= amount
  if (budget.left < 0) fail(budget.problem)
}

/** The first number that costs more than a step: of 256 bits. */
const LONG = 1n << 256n
const isLong = (value: bigint) => value >= LONG || value <= -LONG
const bitsOf = (value: bigint) => value.toString(16).length * 4

/** Steps of reducing a fraction that has become too long: a common divisor of numbers of 8,192 bits. */
const REDUCING = 10_000

/** Steps for a number beyond the first: the product of two of 4,096 bits takes as long as sixty short ones. */
const longCost = ({ denominator, numerator }: Rational): number =>
  isLong(numerator) || isLong(denominator)
    ? Math.ceil((Math.max(bitsOf(numerator), bitsOf(denominator)) / 512) ** 2)
    : 0

/** Takes a value off the budget that is longer than most: of a number, and of a text that is compared. */
const costOf = (value: Value): number =>
  typeof value === "string" ? Math.floor(value.length / 1_000) : isNumber(value) ? longCost(value) : 0

/** Pays for a number that an expression reads or has calculated. */
export const spendNumber = <V extends Value>(value: V, scope: EvaluationScope): V => {
  const cost = isNumber(value) ? longCost(value) : 0
  if (cost > 0) spend(scope, cost)
  return value
}

/** Pays for going through values, and for comparing or adding each of them. */
export const spendEach = (scope: EvaluationScope, values: ReadonlyArray<Value>, steps = 1) =>
  spend(
    scope,
    values.reduce<number>((sum, value) => sum + costOf(value), values.length * steps)
  )

/** Pays for comparing two values: texts by the shorter one. */
export const spendCompared = (scope: EvaluationScope, one: Value, other: Value) => {
  if (typeof one === "string" && typeof other === "string")
    spend(scope, Math.floor(Math.min(one.length, other.length) / 1_000))
}

/** The result of a calculation, in bounds. */
export const boundedIn = (value: Rational | null, scope: EvaluationScope): Rational =>
  bounded(value, () => spend(scope, REDUCING))

/** Pays for the common divisor of two denominators; one that is short costs nothing more. */
export const spendDivisor = (one: Rational, other: Rational, scope: EvaluationScope) => {
  if (isLong(one.denominator) && isLong(other.denominator))
    spend(scope, Math.ceil((Math.min(bitsOf(one.denominator), bitsOf(other.denominator)) / 64) ** 2))
}

export const sum = (one: Rational, other: Rational, scope: EvaluationScope): Rational => {
  spendDivisor(one, other, scope)
  return boundedIn(plus(one, other), scope)
}
