// `single_text`: plain text of at most 500 characters (developer-api.md 3.2).
import { Result } from "effect"
import type { Cell } from "../../../../ground/primitives/Cell.ts"
import { textOf } from "../input/writeInput.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

export const singleText: FieldType<NoSettings> = {
  tag: "single_text",
  type: "text",
  label: "Single line text",
  channel: "text",
  operators: "TEXT",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: NoSettings,
  parse: (input) => Result.map(textOf(input, 500), (text): Cell => (text.trim() === "" ? [] : [text])),
  render: (entry) => ({ value: entry }),
  text: (entry) => entry as string,
  title: ([entry]) => (entry as string).trim().split(/\r?\n/, 1)[0]!
}
