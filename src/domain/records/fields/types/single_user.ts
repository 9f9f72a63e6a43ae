// `single_user`: one user of the organization (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { id } from "../contract/shapes.ts"
import { userGroups } from "../grouping/idGroups.ts"
import { idOf, oneEntry } from "../input/writeInput.ts"
import type { NoSettings } from "../kinds/noSettings.ts"
import { userKind } from "../kinds/userFields.ts"
import { oneIdTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { noCell, when } from "../sql/predicates.ts"

export const singleUser: AssignableType<"users", NoSettings> = {
  ...userKind,
  tag: "single_user",
  label: "Single user",
  operators: "ONE",
  multiple: false,
  input: id,
  parse: (input) => oneEntry(idOf(input, "a user id")),
  compared: (cell) => ({ set: "ONE", ids: cell as ReadonlyArray<number> }),
  groups: userGroups(false),
  keys: "refs",
  filter: {
    matchTypes: matchTypes.one,
    ofUsers: true,
    test: (filter, _, context) => oneIdTest(filter, context),
    passes: when("ids", ({ idsHeld }, { field_id }, test) => idsHeld(field_id, false, test)),
    empty: noCell
  }
}
