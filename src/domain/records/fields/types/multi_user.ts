// `multi_user`: users of the organization (developer-api.md 3.2).

import { idOf, listOf } from "../input/writeInput.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import { checkUsers, mentionUsers, renderUser, titleOf, userName } from "../kinds/references.ts"
import type { FieldType } from "../model/FieldType.ts"

export const multiUser: FieldType<NoSettings> = {
  tag: "multi_user",
  type: "user",
  label: "Multi user",
  channel: "ids",
  operators: "MANY",
  assignable: true,
  multiple: true,
  titleCapable: true,
  settings: NoSettings,
  parse: (input) => listOf(input, "user ids", (item) => idOf(item, "a user id")),
  check: checkUsers,
  mention: mentionUsers,
  render: renderUser,
  text: userName,
  title: titleOf(userName)
}
