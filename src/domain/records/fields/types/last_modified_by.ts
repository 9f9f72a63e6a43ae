// `last_modified_by`: the author read from the record (developer-api.md 3.3).
import type { ComputedType } from "../contract/FieldType.ts"
import { authorGroups } from "../grouping/idGroups.ts"
import { authorCell, authorFilter, authorKind, authorSort } from "../kinds/authorFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"

export const lastModifiedBy: ComputedType<"users", NoSettings> = {
  ...authorKind,
  tag: "last_modified_by",
  type: "last_modified_by",
  label: "Last modified by",
  fact: "last_modified_by",
  compute: ({ last_modified_by }) => authorCell(last_modified_by),
  groups: authorGroups("last_modified_by"),
  filter: { ...authorFilter("last_modified_by"), empty: ({ lit }) => lit("r.last_modified_on IS NULL") },
  sortKey: authorSort("last_modified_by")
}
