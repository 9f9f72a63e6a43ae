// Numbers as files write them: with separators of thousands, a decimal comma, a currency or a percent sign, or in the brackets of accounting.
// The text means one number as a whole, or none.

export type DecimalSign = "." | ","

const currencyCodes = new Set(Intl.supportedValuesOf("currency"))
const LEADING = /^([A-Z]{3}|[A-Z]{0,2}\p{Sc}|kr\.?|Fr\.?)\s?/u
const TRAILING = /\s?([A-Z]{3}|\p{Sc}|kr\.?|zł|Kč|Ft|lei|%)$/u
/** Amounts without a fraction: `44,-`. */
const WHOLE_AMOUNT = /[.,]-{1,2}$/

const isUnit = (text: string) => !/^[A-Z]{3}$/.test(text) || currencyCodes.has(text)

const withoutUnit = (text: string): string => {
  const leadingUnit = LEADING.exec(text)
  if (leadingUnit !== null && isUnit(leadingUnit[1]!)) return text.slice(leadingUnit[0].length)
  const trailingUnit = TRAILING.exec(text)
  return trailingUnit !== null && isUnit(trailingUnit[1]!) ? text.slice(0, trailingUnit.index) : text
}

/** Digits in groups: of three, or as in India of two before the last three. */
const GROUPS = /^[1-9]\d{0,2}(?:([.,])\d{2,3}(?:\1\d{2,3}){0,300})?$/
const isGrouped = (digits: string) => GROUPS.test(digits) && /[.,]\d{3}$/.test(digits)

/** Digits with a point at most, as the API reads them; undefined if the separators make no number. */
const separated = (digits: string, decimal: DecimalSign): string | undefined => {
  const lastSeparator = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","))
  if (lastSeparator < 0) return digits
  const [before, sign, behind] = [
    digits.slice(0, lastSeparator),
    digits[lastSeparator]!,
    digits.slice(lastSeparator + 1)
  ]
  const withoutGroups = (text: string) => text.replaceAll(/[.,]/g, "")
  const isFraction = before.includes(sign)
    ? false
    : /[.,]/.test(before)
      ? isGrouped(before)
      : sign === decimal || !isGrouped(digits)
  if (isFraction) return `${withoutGroups(before)}.${behind}`
  return isGrouped(digits) ? withoutGroups(digits) : undefined
}

const FORM = /^([+-]?)(\d[\d.,]{0,400}|[.,]\d[\d]{0,400})(e[+-]?\d{1,3})?$/i
/** Blanks and apostrophes between groups of three digits. */
const SPACED = /^([^\d]*)(\d{1,3}(?:[ '’_\u00a0\u2009\u202f]\d{3}){1,100})(?![\d ])/

/** The number as the API reads it; undefined if the text is none. @param decimal sign of a text that could be read in two ways */
export const readNumber = (text: string, decimal: DecimalSign): string | undefined => {
  if (text.length > 400) return undefined
  const trimmedText = text.trim().replaceAll(/[\u2212\u2013]/g, "-")
  const bracketedText = /^\((.+)\)$/.exec(trimmedText)?.[1]
  const minus = /^-\s?(?=[^\d.,\s-])/.exec(trimmedText)
  const unsignedText = bracketedText ?? (minus === null ? trimmedText : trimmedText.slice(minus[0].length))
  const amount = withoutUnit(unsignedText.trim()).replace(WHOLE_AMOUNT, "")
  const compactText = amount.replace(SPACED, (_, lead: string, digits: string) => lead + digits.replaceAll(/\D/g, ""))
  const [, sign, digits, exponent = ""] = FORM.exec(compactText) ?? []
  if (digits === undefined) return undefined
  const number = separated(digits, decimal)
  if (number === undefined) return undefined
  const isNegative = bracketedText !== undefined || minus !== null
  if (isNegative && sign !== "") return undefined
  return `${isNegative ? "-" : sign}${number}${exponent}`
}

/** Evidence of the decimal sign in a text that can be read in one way alone. */
const decimalIn = (text: string): DecimalSign | undefined => {
  const [asPoint, asComma] = [readNumber(text, "."), readNumber(text, ",")]
  if (asPoint === undefined || asPoint !== asComma || !/[.,]/.test(text)) return undefined
  const lastSeparator = Math.max(text.lastIndexOf("."), text.lastIndexOf(","))
  const isDecimal = asPoint.includes(".") && /^\d/.test(text.slice(lastSeparator + 1))
  return (text[lastSeparator] === ",") === isDecimal ? "," : "."
}

/** The decimal sign of a file, by the texts of which it is certain. @param otherwise sign where none is, as `1.234` may be read in two ways */
export const guessDecimal = (texts: ReadonlyArray<string>, otherwise: DecimalSign = "."): DecimalSign => {
  let commas = 0
  for (const text of texts) {
    const sign = decimalIn(text)
    if (sign !== undefined) commas += sign === "," ? 1 : -1
  }
  return commas > 0 ? "," : commas < 0 ? "." : otherwise
}
