// `single_category`: one option (developer-api.md 3.2).
import type { FieldType } from "./FieldType.ts"
import { one } from "./input.ts"
import { CategorySettings, changeOptions, type OptionSettings, optionId, optionText, renderOption } from "./options.ts"

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
