// `single_category`: one option (developer-api.md 3.2).

import { one } from "../input/writeInput.ts"
import {
  CategorySettings,
  changeOptions,
  type OptionSettings,
  optionId,
  optionText,
  renderOption
} from "../kinds/options.ts"
import type { FieldType } from "../model/FieldType.ts"

export const singleCategory: FieldType<OptionSettings> = {
  tag: "single_category",
  type: "category",
  label: "Single select category",
  channel: "ids",
  operators: "ONE",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: CategorySettings,
  changeSettings: changeOptions(false),
  parse: (input, field) => one(optionId(input, field)),
  render: renderOption,
  text: optionText
}
