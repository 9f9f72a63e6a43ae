// Decimal numbers as text: rounds half away from zero without binary fractions (decisions A15), checks that JSON carries a number exactly,
// and formats numbers for people (A30).

const FORM = /^([+-]?)(\d{0,1000})(?:\.(\d{0,1000}))?(?:e([+-]?\d{1,3}))?$/i

interface Decimal {
  readonly negative: boolean
  /** Digits without leading zeros. */
  readonly digits: bigint
  /** Number of digits behind the point. */
  readonly scale: number
}

const parse = (text: string): Decimal | null => {
  const [, sign, whole = "", fraction = "", exponent = "0"] = FORM.exec(text.trim()) ?? []
  if (sign === undefined || whole + fraction === "") return null
  const digits = BigInt(whole + fraction)
  const scale = fraction.length - Number(exponent)
  return scale >= 0
    ? { negative: sign === "-", digits, scale }
    : { negative: sign === "-", digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

const rounded = ({ digits, negative, scale }: Decimal, decimals: number): Decimal => {
  if (scale <= decimals) return { digits, negative, scale }
  const unit = 10n ** BigInt(scale - decimals)
  return { digits: (digits + unit / 2n) / unit, negative, scale: decimals }
}

/** Canonical text: no leading zeros, none behind the last digit of a fraction, no sign of zero. */
const show = ({ digits, negative, scale }: Decimal): string => {
  const text = String(digits).padStart(scale + 1, "0")
  const integerPart = text.slice(0, text.length - scale)
  let end = text.length
  while (end > text.length - scale && text[end - 1] === "0") end--
  const fraction = text.slice(text.length - scale, end)
  return `${negative && digits !== 0n ? "-" : ""}${integerPart}${fraction === "" ? "" : `.${fraction}`}`
}

/**
 * Number that equals the text rounded to `decimals` places; `null` if no number of JSON is exactly that (beyond some 15 digits),
 * `undefined` if the text is no number.
 */
export const exactNumber = (text: string, decimals: number): number | null | undefined => {
  const decimal = parse(text)
  if (decimal === null) return undefined
  const roundedText = show(rounded(decimal, decimals))
  const value = Number(roundedText)
  const kept = Number.isFinite(value) ? parse(String(value)) : null
  return kept !== null && show(kept) === roundedText ? value : null
}

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Significant digits and the power of ten of the last one: equal for all spellings of a number. */
const scientific = (literal: string): string | null => {
  const [, sign, whole = "", fraction = "", exponent = "0"] = LITERAL.exec(literal) ?? []
  if (sign === undefined) return null
  const digits = whole + fraction
  let start = 0
  let end = digits.length
  while (start < end && digits[start] === "0") start++
  while (end > start && digits[end - 1] === "0") end--
  if (start === end) return "0"
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/** True if JavaScript reads a number literal of JSON exactly as written. Linear, however large its exponent is. */
export const isExactLiteral = (literal: string): boolean => {
  const value = Number(literal)
  return Number.isFinite(value) && scientific(String(value)) === scientific(literal)
}

/**
 * Number as people read it: without an exponent, with as many decimals as a field prescribes, halves rounded away from zero.
 * @param value finite
 */
export const numberText = (value: number, decimals?: number): string => {
  const decimal = parse(String(value))
  if (decimal === null) return String(value)
  if (decimals === undefined) return show(decimal)
  const text = show(rounded(decimal, decimals))
  const [whole = "", fraction = ""] = text.split(".")
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, "0")}`
}
