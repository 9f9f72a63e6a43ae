// `created_by`: the author read from the record (developer-api.md 3.3).
import { authorCell, authorName, mentionAuthors, refuseWrite, renderAuthor } from "./computed.ts"
import type { FieldType } from "./FieldType.ts"
import { NoSettings } from "./none.ts"

export const createdBy: FieldType<NoSettings> = {
  tag: "created_by",
  type: "created_by",
  label: "Created by",
  channel: "ids",
  operators: "ONE",
  assignable: false,
  multiple: false,
  titleCapable: false,
  settings: NoSettings,
  parse: refuseWrite,
  compute: ({ created_by }) => authorCell(created_by),
  mention: mentionAuthors,
  render: renderAuthor,
  text: authorName
}
