// `multi_text`: HTML of at most 150000 characters, kept sanitized (developer-api.md 3.2).
import { Result } from "effect"
import { sanitizeHtml } from "../../../ground/text/clean.ts"
import type { Cell } from "./Cell.ts"
import type { FieldType } from "./FieldType.ts"
import { HTML_AT_MOST, htmlFirstLine, htmlText } from "./html.ts"
import { textOf } from "./input.ts"
import { NoSettings } from "./none.ts"

export const multiText: FieldType<NoSettings> = {
  tag: "multi_text",
  type: "text",
  label: "Multi line text",
  channel: "text",
  operators: "TEXT",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: NoSettings,
  parse: (input) =>
    Result.map(textOf(input, HTML_AT_MOST, "an HTML string"), (html): Cell => {
      const clean = sanitizeHtml(html)
      return htmlText(clean) === "" ? [] : [clean]
    }),
  render: (entry) => ({ value: entry }),
  text: (entry) => htmlText(entry as string),
  title: ([entry]) => htmlFirstLine(entry as string)
}
