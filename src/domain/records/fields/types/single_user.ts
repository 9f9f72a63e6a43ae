// `single_user`: one user of the organization (developer-api.md 3.2).

import { idOf, one } from "../input/writeInput.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import { checkUsers, mentionUsers, renderUser, userName } from "../kinds/references.ts"
import type { FieldType } from "../model/FieldType.ts"

export const singleUser: FieldType<NoSettings> = {
  tag: "single_user",
  type: "user",
  label: "Single user",
  channel: "ids",
  operators: "ONE",
  assignable: true,
  multiple: false,
  titleCapable: true,
  settings: NoSettings,
  parse: (input) => one(idOf(input, "a user id")),
  check: checkUsers,
  mention: mentionUsers,
  render: renderUser,
  text: userName
}
