// `console` of scripts (developer-api.md 8.2): lines with a level, up to the bytes of a step's log. Values stand side by side, or are
// inserted into a first text with `%s` and its like, as in Node and browsers.
import { display } from "./encode.ts"
import * as p from "./primordials.ts"

export type Log = (level: string, message: string) => void

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

/** Line of values. @param limit of characters; the caller cuts a longer line */
const formatLine = (values: ReadonlyArray<unknown>, limit: number): string => {
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

const CUT = "… (log cut)"

export const makeConsole = (log: Log, limit: number) => {
  // A line costs its end as well, or empty ones would cost nothing.
  let bytesLeft = limit + 1
  const logAt =
    (level: string) =>
    (...values: ReadonlyArray<unknown>) => {
      if (bytesLeft < 0) return
      let text = formatLine(values, limit)
      const size = p.byteLength(text) + 1
      if (size > bytesLeft) {
        let end = bytesLeft - 1
        while (end > 0 && p.byteLength(p.slice(text, 0, end)) >= bytesLeft) end -= 1 + ((end / 16) | 0)
        text = p.slice(text, 0, Math.max(end, 0)) + CUT
        bytesLeft = -1
      } else bytesLeft -= size
      log(level, text)
    }
  return { log: logAt("log"), info: logAt("info"), warn: logAt("warn"), error: logAt("error") }
}
