// `last_modified_at`: a date entry read from the record (developer-api.md 3.3).
import type { ComputedType } from "../contract/FieldType.ts"
import { momentGroups } from "../grouping/dateGroups.ts"
import { momentCell, momentFilter, momentKind } from "../kinds/momentFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"

export const lastModifiedAt: ComputedType<"dates", NoSettings> = {
  ...momentKind,
  tag: "last_modified_at",
  type: "last_modified_at",
  label: "Last modified on",
  fact: "last_modified_at",
  compute: ({ last_modified_on }) => momentCell(last_modified_on),
  groups: momentGroups("last_modified_on"),
  filter: { ...momentFilter("last_modified_on"), empty: ({ lit }) => lit("r.last_modified_on IS NULL") },
  sortKey: ({ lit }) => ({ expression: lit("r.last_modified_on"), type: "timestamptz" })
}
