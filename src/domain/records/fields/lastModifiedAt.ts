// `last_modified_at`: a date entry read from the record (developer-api.md 3.3).
import { momentCell, momentRead, refuseWrite } from "./computed.ts"
import type { FieldType } from "./FieldType.ts"
import { NoSettings } from "./none.ts"

export const lastModifiedAt: FieldType<NoSettings> = {
  tag: "last_modified_at",
  type: "last_modified_at",
  label: "Last modified on",
  channel: "date",
  operators: "DATE",
  assignable: false,
  multiple: false,
  titleCapable: false,
  settings: NoSettings,
  parse: refuseWrite,
  compute: ({ last_modified_on }) => momentCell(last_modified_on),
  ...momentRead
}
