// `status`: one option, each of which means completed or not; always required (developer-api.md 3.2).

import { one } from "../input/writeInput.ts"
import {
  changeOptions,
  type OptionSettings,
  optionId,
  optionText,
  renderOption,
  StatusSettings
} from "../kinds/options.ts"
import type { FieldType } from "../model/FieldType.ts"

export const status: FieldType<OptionSettings> = {
  tag: "status",
  type: "status",
  label: "Status",
  channel: "ids",
  operators: "STATUS",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: StatusSettings,
  changeSettings: changeOptions(true),
  checkDefinition: ({ required, settings: { options } }) =>
    !required
      ? "config.required must be true for a status field"
      : options.some((option) => option.means_completed) && options.some((option) => !option.means_completed)
        ? null
        : "config.settings.options needs one option with `means_completed` true and one with false",
  parse: (input, field) => one(optionId(input, field)),
  render: renderOption,
  text: optionText
}
