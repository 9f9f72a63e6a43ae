// `multi_user`: users of the organization (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { id, many } from "../contract/shapes.ts"
import { userGroups } from "../grouping/idGroups.ts"
import { idOf, listOf } from "../input/writeInput.ts"
import { joinedTitle } from "../kinds/joinedTitle.ts"
import type { NoSettings } from "../kinds/noSettings.ts"
import { userKind, userName } from "../kinds/userFields.ts"
import { manyIdsTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { noCell, when } from "../sql/predicates.ts"

export const multiUser: AssignableType<"users", NoSettings> = {
  ...userKind,
  tag: "multi_user",
  label: "Multi user",
  operators: "MANY",
  multiple: true,
  input: many(id),
  parse: (input) => listOf(input, "user ids", (item) => idOf(item, "a user id")),
  title: joinedTitle(userName),
  compared: (cell) => ({ set: "MANY", ids: cell as ReadonlyArray<number> }),
  groups: userGroups(true),
  keys: "refs",
  filter: {
    matchTypes: matchTypes.many,
    ofUsers: true,
    test: (filter, _, context) => manyIdsTest(filter, context),
    passes: when("ids", ({ idsHeld }, { field_id }, test) => idsHeld(field_id, true, test)),
    empty: noCell
  }
}
