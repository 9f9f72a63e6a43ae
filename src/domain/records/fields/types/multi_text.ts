// `multi_text`: HTML of at most 150000 characters, kept sanitized (developer-api.md 3.2).
import { Result } from "effect"
import type { Cell } from "../../../../ground/primitives/Cell.ts"
import { sanitizeHtml } from "../../../../ground/text/clean.ts"
import { textOf } from "../input/writeInput.ts"
import { HTML_AT_MOST, htmlFirstLine, htmlText } from "../kinds/html.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

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
