// `single_user`: one user of the organization (developer-api.md 3.2).
import type { FieldType } from "./FieldType.ts"
import { idOf, one } from "./input.ts"
import { NoSettings } from "./none.ts"
import { checkUsers, mentionUsers, renderUser, userName } from "./references.ts"

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
