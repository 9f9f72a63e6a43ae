// `last_modified_at`: a date entry read from the record (developer-api.md 3.3).
import { momentCell, momentRead, refuseWrite } from "../kinds/computed.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

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
