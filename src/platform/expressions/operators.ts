// Operators of expressions (developer-api.md 11.3): JavaScript's, on exact numbers; a text is never taken for a number.
import { negated, over, plus, remainder, times } from "../primitives/rational.ts"
import type { EvaluationScope } from "./Expression.ts"
import { asText, madeText } from "./texts.ts"
import {
  asInteger,
  asNumber,
  bounded,
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
  (left, right) => {
    const difference = compared(left, right)
    return difference !== null && test(difference)
  }

const add: Binary = (left, right, scope) =>
  typeof left === "string" || typeof right === "string"
    ? madeText(asText(left, scope) + asText(right, scope), scope)
    : bounded(plus(asNumber(left), asNumber(right)))

export const binary: Readonly<Record<string, Binary>> = {
  "+": add,
  "-": (left, right) => bounded(plus(asNumber(left), negated(asNumber(right)))),
  "*": (left, right) => bounded(times(asNumber(left), asNumber(right))),
  "/": (left, right) => bounded(over(asNumber(left), asNumber(right))),
  "%": (left, right) => bounded(remainder(asNumber(left), asNumber(right))),
  "<": order((difference) => difference < 0),
  "<=": order((difference) => difference <= 0),
  ">": order((difference) => difference > 0),
  ">=": order((difference) => difference >= 0),
  "==": (left, right) => isEqual(left, right),
  "===": (left, right) => isEqual(left, right),
  "!=": (left, right) => !isEqual(left, right),
  "!==": (left, right) => !isEqual(left, right)
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
