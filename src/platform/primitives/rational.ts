// Calculates exactly with decimal numbers (decisions A30): as fractions of whole numbers, and back to the nearest number that JavaScript
// has.

/** Fraction whose `denominator` is above zero. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

const FORM = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i
/** Longest power of ten that is read: beyond those of JavaScript's numbers. */
const SCALE = 1_500

/** Exact value of a decimal as it is written. Null: no decimal, or of a power of ten beyond 1,500. */
export const rationalOfText = (text: string): Rational | null => {
  const [, sign, whole = "", fraction = "", exponent = "0"] = FORM.exec(text) ?? []
  const scale = fraction.length - Number(exponent)
  if (sign === undefined || whole + fraction === "" || Math.abs(scale) > SCALE) return null
  const digits = BigInt(`${sign}${whole}${fraction}`)
  return scale >= 0
    ? { numerator: digits, denominator: 10n ** BigInt(scale) }
    : { numerator: digits * 10n ** BigInt(-scale), denominator: 1n }
}

/** Exact value of the number as it is written, not of the binary fraction that is kept for it. Null: not finite. */
export const rationalOf = (value: number): Rational | null => rationalOfText(String(value))

/** Digits of a quotient, more than a number distinguishes. */
const DIGITS = 40

const abs = (value: bigint) => (value < 0n ? -value : value)

/** Nearest number of JavaScript. */
export const numberOfRational = ({ denominator, numerator }: Rational): number => {
  if (numerator === 0n) return 0
  const length = (value: bigint) => String(value).length
  const scale = Math.max(0, DIGITS + length(denominator) - length(abs(numerator)))
  const scaled = abs(numerator) * 10n ** BigInt(scale)
  const quotient = scaled / denominator
  // Appends a 1 if digits were cut off, so that a value slightly above a half is not rounded as a half.
  const stickyDigit = scaled % denominator === 0n ? "" : "1"
  return Number(`${numerator < 0n ? "-" : ""}${quotient}${stickyDigit}e${-scale - stickyDigit.length}`)
}

/** Greatest common divisor of two numbers above zero; one of them may be zero. */
export const gcd = (one: bigint, other: bigint): bigint => {
  let [a, b] = [one, other]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

/** Sum over the least common denominator, so that the fractions of a thousand numbers stay short. */
export const plus = (one: Rational, other: Rational): Rational => {
  const { denominator } = one
  if (denominator === other.denominator) return { numerator: one.numerator + other.numerator, denominator }
  const divisor = gcd(denominator, other.denominator)
  const [factor, otherFactor] = [other.denominator / divisor, denominator / divisor]
  return { numerator: one.numerator * factor + other.numerator * otherFactor, denominator: denominator * factor }
}
export const negated = ({ denominator, numerator }: Rational): Rational => ({ numerator: -numerator, denominator })
export const times = (one: Rational, other: Rational): Rational => ({
  numerator: one.numerator * other.numerator,
  denominator: one.denominator * other.denominator
})
/** Quotient; null: division by zero. */
export const dividedBy = (one: Rational, other: Rational): Rational | null =>
  other.numerator === 0n
    ? null
    : {
        numerator: one.numerator * other.denominator * (other.numerator < 0n ? -1n : 1n),
        denominator: one.denominator * abs(other.numerator)
      }
/** Remainder with the sign of the first, as JavaScript's `%`. Null: by zero. */
export const remainder = (one: Rational, other: Rational): Rational | null => {
  const quotient = dividedBy(one, other)
  if (quotient === null) return null
  const wholeQuotient = { numerator: quotient.numerator / quotient.denominator, denominator: 1n }
  return plus(one, negated(times(other, wholeQuotient)))
}

/** Exact sum of finite numbers; their powers of ten are shared, so that the fractions of a thousand numbers stay short. */
export const sumOf = (values: ReadonlyArray<number>): Rational => {
  const rationals = values.flatMap((value) => rationalOf(value) ?? [])
  const denominator = rationals.reduce((most, one) => (one.denominator > most ? one.denominator : most), 1n)
  return {
    numerator: rationals.reduce((sum, one) => sum + one.numerator * (denominator / one.denominator), 0n),
    denominator
  }
}
