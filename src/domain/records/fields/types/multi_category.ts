// `multi_category`: any number of options (developer-api.md 3.2).

import { listOf } from "../input/writeInput.ts"
import {
  CategorySettings,
  changeOptions,
  type OptionSettings,
  optionId,
  optionText,
  renderOption
} from "../kinds/options.ts"
import { titleOf } from "../kinds/references.ts"
import type { FieldType } from "../model/FieldType.ts"

export const multiCategory: FieldType<OptionSettings> = {
  tag: "multi_category",
  type: "category",
  label: "Multi select category",
  channel: "ids",
  operators: "MANY",
  assignable: true,
  multiple: true,
  titleCapable: true,
  settings: CategorySettings,
  changeSettings: changeOptions(false),
  parse: (input, field) => listOf(input, "option ids or texts", (item) => optionId(item, field)),
  render: renderOption,
  text: optionText,
  title: titleOf(optionText)
}
