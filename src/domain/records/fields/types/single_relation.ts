// `single_relation`: one live record of a referenced app (developer-api.md 3.2).

import { idOf, one } from "../input/writeInput.ts"
import { checkRecords, mentionRecords, RelationSettings, recordTitle, renderRecord } from "../kinds/references.ts"
import type { FieldType } from "../model/FieldType.ts"

export const singleRelation: FieldType<RelationSettings> = {
  tag: "single_relation",
  type: "relation",
  label: "Single relation",
  channel: "ids",
  operators: "ONE",
  assignable: true,
  multiple: false,
  titleCapable: true,
  refersTo: "records",
  settings: RelationSettings,
  parse: (input) => one(idOf(input, "a record id")),
  check: checkRecords,
  mention: mentionRecords,
  render: renderRecord,
  text: recordTitle
}
