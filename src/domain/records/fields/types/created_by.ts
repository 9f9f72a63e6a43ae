// `created_by`: the author read from the record (developer-api.md 3.3).
import type { ComputedType } from "../contract/FieldType.ts"
import { authorGroups } from "../grouping/idGroups.ts"
import { authorCell, authorFilter, authorKind, authorSort } from "../kinds/authorFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"

export const createdBy: ComputedType<"users", NoSettings> = {
  ...authorKind,
  tag: "created_by",
  type: "created_by",
  label: "Created by",
  fact: "created_by",
  compute: ({ created_by }) => authorCell(created_by),
  groups: authorGroups("created_by"),
  filter: { ...authorFilter("created_by"), empty: ({ never }) => never },
  sortKey: authorSort("created_by")
}
