// `multi_category`: any number of options (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { many } from "../contract/shapes.ts"
import { optionGroups } from "../grouping/idGroups.ts"
import { listOf } from "../input/writeInput.ts"
import { joinedTitle } from "../kinds/joinedTitle.ts"
import { changeOptions } from "../kinds/optionChanges.ts"
import {
  CategorySettings,
  CategorySettingsInput,
  filterOption,
  OptionEntry,
  OptionInput,
  type OptionSettings,
  optionId,
  optionKind,
  optionText
} from "../kinds/optionFields.ts"
import { manyIdsTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { noCell, when } from "../sql/predicates.ts"

export const multiCategory: AssignableType<"options", OptionSettings> = {
  ...optionKind,
  tag: "multi_category",
  type: "category",
  label: "Multi select category",
  operators: "MANY",
  multiple: true,
  settings: CategorySettings,
  changeSettings: changeOptions(false),
  settingsInput: CategorySettingsInput,
  input: many(OptionInput),
  entry: OptionEntry,
  parse: (input, field) => listOf(input, "option ids or texts", (item) => optionId(item, field)),
  title: joinedTitle(optionText),
  compared: (cell) => ({ set: "MANY", ids: cell as ReadonlyArray<number> }),
  groups: optionGroups(true),
  keys: "refs",
  filter: {
    matchTypes: matchTypes.many,
    named: true,
    test: (filter, field, context) => manyIdsTest(filter, context, filterOption(field, context)),
    passes: when("ids", ({ idsHeld }, { field_id }, test) => idsHeld(field_id, true, test)),
    empty: noCell
  }
}
