// `status`: one option, each of which means completed or not; always required (developer-api.md 3.2).
import { Result } from "effect"
import type { AssignableType } from "../contract/FieldType.ts"
import { optionGroups } from "../grouping/idGroups.ts"
import { oneEntry } from "../input/writeInput.ts"
import { changeOptions } from "../kinds/optionChanges.ts"
import {
  filterOption,
  isCompleted,
  OptionInput,
  type OptionSettings,
  optionId,
  optionKind,
  StatusEntry,
  StatusSettings,
  StatusSettingsInput
} from "../kinds/optionFields.ts"
import { oneIdTest, presenceTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import type { Test } from "../matching/RecordFilter.ts"
import type { Field } from "../model/Field.ts"
import { noCell, when } from "../sql/predicates.ts"

const meaning = ({ settings }: Field<OptionSettings>, completed: boolean): Test => ({
  is: "ids",
  how: "any",
  ids: settings.options.filter((option) => option.means_completed === completed).map((option) => option.id)
})

export const status: AssignableType<"options", OptionSettings> = {
  ...optionKind,
  tag: "status",
  type: "status",
  label: "Status",
  operators: "STATUS",
  multiple: false,
  oncePerApp: true,
  comparedBySettings: true,
  settings: StatusSettings,
  changeSettings: changeOptions(true),
  settingsInput: StatusSettingsInput,
  input: OptionInput,
  entry: StatusEntry,
  checkDefinition: ({ required, settings: { options } }) =>
    !required
      ? "config.required must be true for a status field"
      : options.some((option) => option.means_completed) && options.some((option) => !option.means_completed)
        ? null
        : "config.settings.options needs one option with `means_completed` true and one with false",
  parse: (input, field) => oneEntry(optionId(input, field)),
  compared: (cell, field) => ({
    set: "STATUS",
    ids: cell as ReadonlyArray<number>,
    completed: cell.length === 0 ? null : isCompleted(cell, field)
  }),
  groups: optionGroups(false),
  keys: "refs",
  filter: {
    matchTypes: matchTypes.status,
    named: true,
    test: (filter, field, context) =>
      filter.match_type === "completed" || filter.match_type === "incomplete"
        ? Result.map(presenceTest(filter), () => meaning(field, filter.match_type === "completed"))
        : oneIdTest(filter, context, filterOption(field, context)),
    passes: when("ids", ({ idsHeld }, { field_id }, test) => idsHeld(field_id, false, test)),
    empty: noCell
  }
}
