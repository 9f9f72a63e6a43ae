// `single_category`: one option (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { optionGroups } from "../grouping/idGroups.ts"
import { oneEntry } from "../input/writeInput.ts"
import { changeOptions } from "../kinds/optionChanges.ts"
import {
  CategorySettings,
  CategorySettingsInput,
  filterOption,
  OptionEntry,
  OptionInput,
  type OptionSettings,
  optionId,
  optionKind
} from "../kinds/optionFields.ts"
import { oneIdTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { noCell, when } from "../sql/predicates.ts"

export const singleCategory: AssignableType<"options", OptionSettings> = {
  ...optionKind,
  tag: "single_category",
  type: "category",
  label: "Single select category",
  operators: "ONE",
  multiple: false,
  settings: CategorySettings,
  changeSettings: changeOptions(false),
  settingsInput: CategorySettingsInput,
  input: OptionInput,
  entry: OptionEntry,
  parse: (input, field) => oneEntry(optionId(input, field)),
  compared: (cell) => ({ set: "ONE", ids: cell as ReadonlyArray<number> }),
  groups: optionGroups(false),
  keys: "refs",
  filter: {
    matchTypes: matchTypes.one,
    named: true,
    test: (filter, field, context) => oneIdTest(filter, context, filterOption(field, context)),
    passes: when("ids", ({ idsHeld }, { field_id }, test) => idsHeld(field_id, false, test)),
    empty: noCell
  }
}
