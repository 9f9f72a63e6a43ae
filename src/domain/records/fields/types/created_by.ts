// `created_by`: the author read from the record (developer-api.md 3.3).
import { authorCell, authorName, mentionAuthors, refuseWrite, renderAuthor } from "../kinds/computed.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

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
