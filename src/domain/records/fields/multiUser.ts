// `multi_user`: users of the organization (developer-api.md 3.2).
import type { FieldType } from "./FieldType.ts"
import { idOf, listOf } from "./input.ts"
import { NoSettings } from "./none.ts"
import { checkUsers, mentionUsers, renderUser, titleOf, userName } from "./references.ts"

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
