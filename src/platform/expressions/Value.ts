// Values of expressions (developer-api.md 11.3): numbers are exact decimals (decisions A30), dates are texts as records store them.
import { gcd, numberOfRational, type Rational, rationalOf, rationalOfText } from "../primitives/rational.ts"

/** Record whose fields an expression reads by their names. */
export interface RecordValue {
  readonly field: (name: string) => Value
}
export type Value = null | boolean | string | Rational | RecordValue | ReadonlyArray<Value>

/** The expression has no value: its message says why, for the people who wrote it. */
export class ExpressionFailed extends Error {}

export const fail = (message: string): never => {
  throw new ExpressionFailed(message)
}

export const isNumber = (value: Value): value is Rational =>
  typeof value === "object" && value !== null && "numerator" in value
export const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)
export const isRecord = (value: Value): value is RecordValue =>
  typeof value === "object" && value !== null && "field" in value

/** "a text", for messages. */
export const kindOf = (value: Value): string =>
  value === null
    ? "an empty value"
    : typeof value === "boolean"
      ? "true or false"
      : typeof value === "string"
        ? "a text"
        : isNumber(value)
          ? "a number"
          : isList(value)
            ? "a list"
            : "a record"

/** The first number that is too long: of 4,096 bits. Some beyond JavaScript's own range are calculated with. */
const TOO_LONG = 1n << 4096n

const isTooLong = ({ denominator, numerator }: Rational) =>
  numerator >= TOO_LONG || numerator <= -TOO_LONG || denominator >= TOO_LONG

/** The result of a calculation, in bounds; a fraction is reduced where it is too long. Null: a division by zero. @param pay for reducing it */
export const bounded = (value: Rational | null, pay: () => void = () => undefined): Rational => {
  if (value === null) return fail("division by zero")
  if (!isTooLong(value)) return value
  pay()
  const divisor = gcd(value.numerator < 0n ? -value.numerator : value.numerator, value.denominator)
  const short = { numerator: value.numerator / divisor, denominator: value.denominator / divisor }
  return isTooLong(short) ? fail("the number is too large") : short
}

export const numberValue = (value: number): Rational => rationalOf(value) ?? fail("the number is too large")

/** A number as JavaScript writes it, `0xff`, `017` and `1_000` too: with all digits, where one of JavaScript keeps some 16. */
export const literalNumber = (source: string): Rational => {
  const text = source.replaceAll("_", "")
  if (!Number.isFinite(Number(text))) return fail("the number is too large")
  if (/^0[box]/i.test(text)) return bounded(whole(BigInt(text)))
  if (/^0[0-7]+$/.test(text)) return bounded(whole(BigInt(`0o${text}`)))
  return bounded(rationalOfText(text) ?? fail("the number has too many digits"))
}
export const whole = (value: number | bigint): Rational => ({ numerator: BigInt(value), denominator: 1n })

/** A number to calculate with; an empty value counts as 0. */
export const asNumber = (value: Value): Rational =>
  value === null ? whole(0) : isNumber(value) ? value : fail(`expects a number, and there is ${kindOf(value)}`)

/** The nearest number of JavaScript. */
export const asDouble = (value: Value): number => numberOfRational(asNumber(value))

/** A whole number within bounds: a count of days or characters, a position. */
export const asInteger = (value: Value): number => {
  const number = asDouble(value)
  return Number.isSafeInteger(number) ? number : fail("expects a whole number")
}

export const asList = (value: Value): ReadonlyArray<Value> =>
  value === null ? [] : isList(value) ? value : fail(`expects a list, and there is ${kindOf(value)}`)

export const isTruthy = (value: Value): boolean =>
  value !== null && value !== false && value !== "" && !(isNumber(value) && value.numerator === 0n)

/** Negative, zero or positive; null if the values have no order between them. */
export const compared = (one: Value, other: Value): number | null => {
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : one > other ? 1 : 0
  if (typeof one === "string" || typeof other === "string") {
    return one === null || other === null ? null : fail(`compares ${kindOf(one)} with ${kindOf(other)}`)
  }
  const [a, b] = [asNumber(one), asNumber(other)]
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export const isEqual = (one: Value, other: Value): boolean => {
  if (one === null || other === null || typeof one !== typeof other) return one === other
  if (typeof one === "object" && typeof other === "object") {
    return isNumber(one) && isNumber(other) ? compared(one, other) === 0 : one === other
  }
  return one === other
}
