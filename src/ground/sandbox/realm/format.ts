// Formats lines of a script's `console` (developer-api.md 8.2): values side by side, or inserted into a first text with `%s` and its like,
// as in Node and browsers.
import { display } from "./encode.ts"
import * as p from "./primordials.ts"

const PERCENT = 37

const numberText = (value: unknown, whole: boolean): string => {
  if (typeof value === "symbol" || (typeof value === "object" && value !== null)) return "NaN"
  const number = p.NumberOf(value)
  return p.StringOf(whole ? p.trunc(number) : number)
}

/** Text in place of a directive, or undefined if the letter is none. */
const directive = (letter: string, value: unknown): string | undefined => {
  switch (letter) {
    case "s":
      return display(value)
    case "d":
    case "f":
      return numberText(value, false)
    case "i":
      return numberText(value, true)
    case "j":
    case "o":
    case "O":
      return typeof value === "string" ? p.stringify(value) : display(value)
    // Drops styles, which browsers apply: a log has no colours.
    case "c":
      return ""
    default:
      return undefined
  }
}

/** Filled line, and the number of values that it has used up. */
const filled = (text: string, values: ReadonlyArray<unknown>, limit: number) => {
  let line = ""
  let used = 1
  let from = 0
  for (let at = 0; at < text.length - 1 && line.length <= limit; at++) {
    if (p.charCodeAt(text, at) !== PERCENT) continue
    const letter = p.slice(text, at + 1, at + 2)
    const shown = letter === "%" ? "%" : used < values.length ? directive(letter, values[used]) : undefined
    if (shown === undefined) continue
    line += p.slice(text, from, at) + p.slice(shown, 0, limit)
    if (letter !== "%") used++
    from = at + 2
    at++
  }
  return { line: line + p.slice(text, from), used }
}

/** Formats a line. @param limit of characters; the caller cuts a longer line */
export const formatLine = (values: ReadonlyArray<unknown>, limit: number): string => {
  const first = values[0]
  const begun = typeof first === "string" && values.length > 1 ? filled(first, values, limit) : { line: "", used: 0 }
  let text = begun.line
  for (let i = begun.used; i < values.length; i++) {
    if (text.length > limit) break
    const shown = display(values[i])
    text += (i > 0 ? " " : "") + (shown.length > limit ? p.slice(shown, 0, limit) : shown)
  }
  return text
}
