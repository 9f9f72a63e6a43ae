// Operators of expressions (developer-api.md 11.3): JavaScript's, on exact numbers; a text is never taken for a number.
import { dividedBy, negated, remainder, times } from "../primitives/rational.ts"
import { boundedIn, spendCompared, spendDivisor, sum } from "./costs.ts"
import type { EvaluationScope } from "./Expression.ts"
import { asText, madeText } from "./texts.ts"
import {
  asInteger,
  asNumber,
  compared,
  fail,
  isEqual,
  isList,
  isNumber,
  isRecord,
  isTruthy,
  kindOf,
  type Value,
  whole
} from "./Value.ts"

type Binary = (left: Value, right: Value, scope: EvaluationScope) => Value

const order =
  (test: (difference: number) => boolean): Binary =>
  (left, right, scope) => {
    spendCompared(scope, left, right)
    const difference = compared(left, right)
    return difference !== null && test(difference)
  }

const equality =
  (wanted: boolean): Binary =>
  (left, right, scope) => {
    spendCompared(scope, left, right)
    return isEqual(left, right) === wanted
  }

const add: Binary = (left, right, scope) =>
  typeof left === "string" || typeof right === "string"
    ? madeText(asText(left, scope) + asText(right, scope), scope)
    : sum(asNumber(left), asNumber(right), scope)

export const binary: Readonly<Record<string, Binary>> = {
  "+": add,
  "-": (left, right, scope) => sum(asNumber(left), negated(asNumber(right)), scope),
  "*": (left, right, scope) => boundedIn(times(asNumber(left), asNumber(right)), scope),
  "/": (left, right, scope) => boundedIn(dividedBy(asNumber(left), asNumber(right)), scope),
  "%": (left, right, scope) => {
    const [dividend, divisor] = [asNumber(left), asNumber(right)]
    spendDivisor(dividend, divisor, scope)
    return boundedIn(remainder(dividend, divisor), scope)
  },
  "<": order((difference) => difference < 0),
  "<=": order((difference) => difference <= 0),
  ">": order((difference) => difference > 0),
  ">=": order((difference) => difference >= 0),
  "==": equality(true),
  "===": equality(true),
  "!=": equality(false),
  "!==": equality(false)
}

export const unary: Readonly<Record<string, (value: Value) => Value>> = {
  "-": (value) => negated(asNumber(value)),
  "+": (value) => asNumber(value),
  "!": (value) => !isTruthy(value)
}

/** A member of a value: a field of a record, of each record of a list, an item, a length. An empty value has empty members. */
export const memberOf = (value: Value, key: Value): Value => {
  if (value === null) return null
  if (isNumber(key)) {
    const index = asInteger(key)
    if (isList(value)) return value[index] ?? null
    return typeof value === "string" ? (value[index] ?? null) : fail(`${kindOf(value)} has no items`)
  }
  if (typeof key !== "string") return fail("expects a name or a position")
  if (isRecord(value)) return value.field(key)
  if (key === "length" && (isList(value) || typeof value === "string")) return whole(value.length)
  if (isList(value) && value.every(isRecord)) return value.map((one) => one.field(key))
  return fail(`${kindOf(value)} has no member ${key}`)
}
