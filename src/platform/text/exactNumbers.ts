// Reads numbers of a JSON text that JavaScript would change (9007199254740993, 1e400) as texts, exactly as they are written
// (developer-api.md 3.2, decisions A29): one reader for bodies of the API, inbound payloads and answers of other servers.
import { isExactLiteral } from "../primitives/decimals.ts"

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
/** Least digits of a number that may change, unless it has an exponent. */
const DIGITS = 16
const suspect = /\d[\d.]{15}|\d[eE][+-]?\d/
const part = /[\d.eE+-]/
const space = /\s/
const integer = /^-?\d+$/
const exponent = /[eE]/

/** True for a number of JSON, not for other texts of the same characters. */
const isNumber = (literal: string) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(literal)

/** Largest integer kept as a number: larger ones are texts even if a double holds them, so that a list of ids is not partly numbers. */
const LARGEST = 2 ** 53

const isKept = (literal: string): boolean =>
  isExactLiteral(literal) && !(integer.test(literal) && Math.abs(Number(literal)) > LARGEST)

const isKey = (text: string, end: number): boolean => {
  let index = end
  while (index < text.length && space.test(text[index]!)) index++
  return text.charCodeAt(index) === COLON
}

/** Puts such numbers in quotes; the text need not be JSON, and does not become JSON by it. */
export const quoteInexact = (text: string): string => {
  if (!suspect.test(text)) return text
  let out = ""
  let from = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      for (index++; index < text.length && text.charCodeAt(index) !== QUOTE; index++)
        if (text.charCodeAt(index) === BACKSLASH) index++
      continue
    }
    if (code !== 45 && (code < 48 || code > 57)) continue
    let end = index + 1
    while (end < text.length && part.test(text[end]!)) end++
    const literal = text.slice(index, end)
    const needsCheck = literal.length >= DIGITS || exponent.test(literal)
    if (needsCheck && isNumber(literal) && !isKept(literal) && !isKey(text, end)) {
      out += `${text.slice(from, index)}"${literal}"`
      from = end
    }
    index = end - 1
  }
  return from === 0 ? text : out + text.slice(from)
}

/** Line of the run log that reports it. */
export const NUMBERS_KEPT =
  "Numbers that a double cannot hold, as integers beyond 2^53, are kept as texts, exactly as they are written."
