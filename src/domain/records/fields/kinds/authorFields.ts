// The record's own authors as fields (developer-api.md 3.3): a user id, or minus the id of an automation.
import { Result } from "effect"
import type { Author } from "../../../../engine/outbox/Event.ts"
import type { Cell } from "../../../../platform/primitives/Cell.ts"
import type { ComputedType } from "../contract/FieldType.ts"
import { author, valued } from "../contract/shapes.ts"
import { isId, isObject, refuseWrite } from "../input/writeInput.ts"
import { oneIdTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import type { Problem } from "../model/Field.ts"
import { when } from "../sql/predicates.ts"
import type { SortSql } from "../sql/sortKey.ts"
import { NoSettings } from "./noSettings.ts"

export const authorCell = (author: Author | null): Cell =>
  author === null ? [] : author.type === "user" ? [author.user_id] : [-author.automation_id]

export const authorKind = {
  kind: "users",
  channels: ["ids"],
  operators: "ONE",
  assignable: false,
  multiple: false,
  titleCapable: false,
  settings: NoSettings,
  parse: refuseWrite,
  mention: (cell, into) => {
    for (const id of cell as ReadonlyArray<number>) {
      if (id > 0) into.users.add(id)
      else into.automations.add(-id)
    }
  },
  render: (entry, _field, found) => {
    const id = entry as number
    const author = id > 0 ? found.users.get(id) : found.automations.get(-id)
    return author === undefined ? null : { value: author }
  },
  entry: valued(author),
  text: (entry, _field, found) => {
    const id = entry as number
    return (id > 0 ? found.users.get(id)?.name : found.automations.get(-id)?.name) ?? ""
  },
  compared: (cell) => ({ set: "ONE", ids: cell as ReadonlyArray<number> })
} satisfies Partial<ComputedType<"users">>

type AuthorColumn = "created_by" | "last_modified_by"

/** A user id, or an automation as records show it. */
const authorId = (value: unknown): Result.Result<number, Problem> => {
  if (isId(value)) return Result.succeed(value)
  const id = isObject(value) && Object.keys(value).length === 1 ? value["automation_id"] : undefined
  return isId(id) ? Result.succeed(-id) : Result.fail("must be the id of a user, or `{ automation_id }`")
}

export const authorFilter = (column: AuthorColumn) => ({
  matchTypes: matchTypes.one,
  otherTypes: ["user", "contact"],
  ofUsers: true as const,
  test: ((filter, _, context) => oneIdTest(filter, context, authorId)) satisfies ComputedType["filter"]["test"],
  passes: when("ids", ({ anyId, lit, sql }, _, { ids }) =>
    anyId(sql`coalesce(${lit(`r.${column}->>'user_id', '-' || (r.${column}->>'automation_id')`)})`, ids)
  )
})

export const authorSort =
  (column: AuthorColumn) =>
  ({ lit, sql, words }: SortSql) =>
    words(sql`coalesce(
          (SELECT u.name FROM users u WHERE u.user_id = (${lit(`r.${column}`)}->>'user_id')::bigint),
          (SELECT x.name FROM automations x WHERE x.automation_id = (${lit(`r.${column}`)}->>'automation_id')::bigint))`)
