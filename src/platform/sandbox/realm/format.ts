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
  let filledText = ""
  let used = 1
  let from = 0
  for (let index = 0; index < text.length - 1 && filledText.length <= limit; index++) {
    if (p.charCodeAt(text, index) !== PERCENT) continue
    const letter = p.slice(text, index + 1, index + 2)
    const directiveText = letter === "%" ? "%" : used < values.length ? directive(letter, values[used]) : undefined
    if (directiveText === undefined) continue
    filledText += p.slice(text, from, index) + p.slice(directiveText, 0, limit)
    if (letter !== "%") used++
    from = index + 2
    index++
  }
  return { line: filledText + p.slice(text, from), used }
}

/** Formats a line. @param limit of characters; the caller cuts a longer line */
export const formatLine = (values: ReadonlyArray<unknown>, limit: number): string => {
  const firstValue = values[0]
  const beginning =
    typeof firstValue === "string" && values.length > 1 ? filled(firstValue, values, limit) : { line: "", used: 0 }
  let text = beginning.line
  for (let i = beginning.used; i < values.length; i++) {
    if (text.length > limit) break
    const valueText = display(values[i])
    text += (i > 0 ? " " : "") + (valueText.length > limit ? p.slice(valueText, 0, limit) : valueText)
  }
  return text
}
