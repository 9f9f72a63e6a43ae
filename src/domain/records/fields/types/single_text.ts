// `single_text`: plain text of at most 500 characters (developer-api.md 3.2).
import { Result } from "effect"
import type { Cell } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { upTo } from "../contract/shapes.ts"
import { textGroups } from "../grouping/valueGroups.ts"
import { textOf } from "../input/writeInput.ts"
import type { NoSettings } from "../kinds/noSettings.ts"
import { plainTextFilter, textKind } from "../kinds/textFields.ts"

export const singleText: AssignableType<"text", NoSettings> = {
  ...textKind,
  tag: "single_text",
  label: "Single line text",
  plainText: true,
  mayBeUnique: true,
  input: upTo(500),
  parse: (input) => Result.map(textOf(input, 500), (text): Cell => (text.trim() === "" ? [] : [text])),
  text: (entry) => entry as string,
  title: ([entry]) => (entry as string).trim().split(/\r?\n/, 1)[0]!,
  compared: (cell) => ({ set: "TEXT", texts: cell as ReadonlyArray<string>, cased: true }),
  groups: textGroups,
  filter: plainTextFilter,
  keys: "text",
  sortKey: ({ firstText, words }, { field_id }) => words(firstText(field_id))
}
