// `created_at`: a date entry read from the record (developer-api.md 3.3).
import type { ComputedType } from "../contract/FieldType.ts"
import { momentGroups } from "../grouping/dateGroups.ts"
import { momentCell, momentFilter, momentKind } from "../kinds/momentFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"

export const createdAt: ComputedType<"dates", NoSettings> = {
  ...momentKind,
  tag: "created_at",
  type: "created_at",
  label: "Created on",
  fact: "created_at",
  compute: ({ created_on }) => momentCell(created_on),
  groups: momentGroups("created_on"),
  filter: { ...momentFilter("created_on"), empty: ({ never }) => never },
  sortKey: ({ lit }) => ({ expression: lit("r.created_on"), type: "timestamptz" })
}
