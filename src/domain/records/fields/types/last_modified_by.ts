// `last_modified_by`: the author read from the record (developer-api.md 3.3).
import { authorCell, authorName, mentionAuthors, refuseWrite, renderAuthor } from "../kinds/computed.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

export const lastModifiedBy: FieldType<NoSettings> = {
  tag: "last_modified_by",
  type: "last_modified_by",
  label: "Last modified by",
  channel: "ids",
  operators: "ONE",
  assignable: false,
  multiple: false,
  titleCapable: false,
  settings: NoSettings,
  parse: refuseWrite,
  compute: ({ last_modified_by }) => authorCell(last_modified_by),
  mention: mentionAuthors,
  render: renderAuthor,
  text: authorName
}
