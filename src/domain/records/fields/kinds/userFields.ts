// User fields: ids of users, looked up before they are judged (developer-api.md 3.2, 4.3 rule 3).

import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { user, valued } from "../contract/shapes.ts"
import type { Field, Found, Mentions, Problem } from "../model/Field.ts"
import { NoSettings } from "./noSettings.ts"

const mention = (cell: Cell, into: Mentions) => {
  for (const id of cell) into.users.add(id as number)
}
const check = (cell: Cell, _field: Field, found: Found): Problem | null => {
  const foreign = cell.find((id) => !found.users.has(id as number))
  return foreign === undefined ? null : `names no user of the organization: ${foreign}`
}
export const userName = (entry: Entry, _field: Field, found: Found) => found.users.get(entry as number)?.name ?? ""

export const userKind = {
  kind: "users",
  type: "user",
  olderName: "contact",
  channels: ["ids"],
  assignable: true,
  titleCapable: true,
  settings: NoSettings,
  check,
  mention,
  render: (entry, _field, found) => {
    const user = found.users.get(entry as number)
    return user === undefined ? null : { value: user }
  },
  entry: valued(user),
  text: userName,
  sortKey: ({ firstNumber, sql, words }, { field_id }) =>
    words(sql`(SELECT u.name FROM users u WHERE u.user_id = ${firstNumber(field_id, "bigint")})`)
} satisfies Partial<AssignableType<"users">>
