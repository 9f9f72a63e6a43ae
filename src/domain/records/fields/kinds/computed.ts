// What the read-only field types share (developer-api.md 3.3).
import { Result } from "effect"
import type { Author } from "../../../../engine/outbox/Event.ts"
import type { Cell, DateEntry } from "../../../../ground/primitives/Cell.ts"
import type { Found, Mentions } from "../model/FieldType.ts"
import { dateTitle, renderDate } from "./dates.ts"

export const refuseWrite = () => Result.fail("is a computed field and cannot be written")

export const momentCell = (moment: string | null): Cell => (moment === null ? [] : [{ start: moment }])

/** A computed author as an entry: a user id, or minus the id of an automation, which no user filter matches. */
export const authorCell = (author: Author | null): Cell =>
  author === null ? [] : author.type === "user" ? [author.user_id] : [-author.automation_id]

export const renderAuthor = (entry: unknown, _field: unknown, found: Found) => {
  const id = entry as number
  const author = id > 0 ? found.users.get(id) : found.automations.get(-id)
  return author === undefined ? null : { value: author }
}
export const authorName = (entry: unknown, _field: unknown, found: Found) => {
  const id = entry as number
  return (id > 0 ? found.users.get(id)?.name : found.automations.get(-id)?.name) ?? ""
}
export const mentionAuthors = (cell: Cell, into: Mentions) => {
  for (const id of cell as ReadonlyArray<number>) {
    if (id > 0) into.users.add(id)
    else into.automations.add(-id)
  }
}

export const momentRead = {
  render: (entry: unknown) => renderDate(entry as DateEntry, false),
  text: (entry: unknown) => (entry as DateEntry).start,
  title: dateTitle
}
