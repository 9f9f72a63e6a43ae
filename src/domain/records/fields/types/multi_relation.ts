// `multi_relation`: live records of referenced apps (developer-api.md 3.2).

import { idOf, listOf } from "../input/writeInput.ts"
import {
  checkRecords,
  mentionRecords,
  RelationSettings,
  recordTitle,
  renderRecord,
  titleOf
} from "../kinds/references.ts"
import type { FieldType } from "../model/FieldType.ts"

export const multiRelation: FieldType<RelationSettings> = {
  tag: "multi_relation",
  type: "relation",
  label: "Multi relation",
  channel: "ids",
  operators: "MANY",
  assignable: true,
  multiple: true,
  titleCapable: true,
  refersTo: "records",
  settings: RelationSettings,
  parse: (input) => listOf(input, "record ids", (item) => idOf(item, "a record id")),
  check: checkRecords,
  mention: mentionRecords,
  render: renderRecord,
  text: recordTitle,
  title: titleOf(recordTitle)
}
