// Computes expressions of numbers exactly (decisions A30): `+ - * / %`, parentheses, and names that stand for numbers. JavaScript evaluates
// any other expression.
import { dividedBy, negated, numberOfRational, plus, type Rational, rationalOf, remainder, times } from "./rational.ts"

const token =
  /\s*(?:((?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d{1,3})?|\.\d+(?:[eE][+-]?\d{1,3})?)|([A-Za-z_$][\w$]*)|([-+*/%()]))/y
const TOKENS_AT_MOST = 200
/** Most bits of an intermediate result: JavaScript has no longer numbers. */
const BITS = 4096n

interface Token {
  readonly number?: string
  readonly name?: string
  readonly sign?: string
}

const tokensOf = (source: string): ReadonlyArray<Token> | null => {
  const text = source.trimEnd()
  const matchedTokens: Array<Token> = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const matchStart = token.lastIndex
    const match = token.exec(text)
    if (match === null || matchedTokens.length === TOKENS_AT_MOST) return null
    const [whole, number, name, sign] = match
    const previousToken = matchedTokens.at(-1)
    // Rejects two signs without a blank between them, which are other operators: `--`, `**`, `//`.
    const glued =
      sign !== undefined && previousToken?.sign === sign && matchStart + 1 === token.lastIndex && !"()".includes(sign)
    // Rejects `1px`, `2n` and `1.toFixed`, which are no numbers.
    const isGluedName = name !== undefined && previousToken?.number !== undefined && whole.length === name.length
    if (glued || isGluedName) return null
    matchedTokens.push({
      ...(number === undefined ? {} : { number }),
      ...(name === undefined ? {} : { name }),
      ...(sign === undefined ? {} : { sign })
    })
  }
  return matchedTokens
}

/** Names in the expression, if it may be arithmetic with more than a number in it; null if it is anything else. */
export const namesIn = (source: string): ReadonlyArray<string> | null => {
  const tokens = tokensOf(source)
  if (tokens === null || !tokens.some(({ sign }) => sign !== undefined && !"()".includes(sign))) return null
  return tokens.flatMap(({ name }) => name ?? [])
}

class NoArithmetic extends Error {}

/** Value of the expression; undefined if it is no arithmetic, or no finite number. */
export const arithmetic = (source: string, valueOf: (name: string) => unknown): number | undefined => {
  const tokens = tokensOf(source)
  if (tokens === null) return undefined
  let tokenIndex = 0
  const next = (signs: string): string | undefined => {
    const sign = tokens[tokenIndex]?.sign
    if (sign === undefined || !signs.includes(sign)) return undefined
    tokenIndex++
    return sign
  }
  const requireSmall = (value: Rational | null): Rational => {
    if (
      value === null ||
      value.numerator >> BITS > 0n ||
      -value.numerator >> BITS > 0n ||
      value.denominator >> BITS > 0n
    )
      throw new NoArithmetic()
    return value
  }
  const factor = (): Rational => {
    const sign = next("-+")
    if (sign !== undefined) return sign === "-" ? negated(factor()) : factor()
    if (next("(") !== undefined) {
      const inside = sum()
      if (next(")") === undefined) throw new NoArithmetic()
      return inside
    }
    const { name, number } = tokens[tokenIndex++] ?? {}
    const value = number !== undefined ? Number(number) : name !== undefined ? valueOf(name) : undefined
    return requireSmall(typeof value === "number" ? rationalOf(value) : null)
  }
  const product = (): Rational => {
    let value = factor()
    for (let sign = next("*/%"); sign !== undefined; sign = next("*/%")) {
      const other = factor()
      value = requireSmall(
        sign === "*" ? times(value, other) : sign === "/" ? dividedBy(value, other) : remainder(value, other)
      )
    }
    return value
  }
  const sum = (): Rational => {
    let value = product()
    for (let sign = next("+-"); sign !== undefined; sign = next("+-")) {
      const other = product()
      value = requireSmall(plus(value, sign === "+" ? other : negated(other)))
    }
    return value
  }
  try {
    const value = sum()
    const number = tokenIndex === tokens.length ? numberOfRational(value) : Number.NaN
    return Number.isFinite(number) ? number : undefined
  } catch (error) {
    if (error instanceof NoArithmetic) return undefined
    throw error
  }
}
