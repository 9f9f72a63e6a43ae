// Numbers of a JSON body that JavaScript would change while reading them (9007199254740993) are read as texts, so that whoever
// takes them can keep them exactly or refuse them with the reason (developer-api.md 3.2).
import { exactNumber } from "../../ground/primitives/decimals.ts"

const QUOTE = 34
const BACKSLASH = 92
/** Fewer digits always come through. */
const DIGITS = 16
/** Nobody means a longer one. */
const LONGEST = 1000
const long = /\d[\d.]{15}/
const part = /[\d.eE+-]/

/** Decimals that are looked at: all that a body may hold, since no rounding is meant here. */
const isExact = (literal: string) => exactNumber(literal, Number.MAX_SAFE_INTEGER) !== null

/** The text with such numbers in quotes; it need not be JSON. */
export const quoteInexact = (text: string): string => {
  if (!long.test(text)) return text
  let out = ""
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
      continue
    }
    if (code !== 45 && (code < 48 || code > 57)) continue
    let end = at + 1
    while (end < text.length && part.test(text[end]!)) end++
    const literal = text.slice(at, end)
    if (literal.length >= DIGITS && (literal.length > LONGEST || !isExact(literal))) {
      out += `${text.slice(from, at)}"${literal}"`
      from = end
    }
    at = end - 1
  }
  return from === 0 ? text : out + text.slice(from)
}
