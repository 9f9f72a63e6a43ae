// `created_at`: a date entry read from the record (developer-api.md 3.3).
import { momentCell, momentRead, refuseWrite } from "../kinds/computed.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

export const createdAt: FieldType<NoSettings> = {
  tag: "created_at",
  type: "created_at",
  label: "Created on",
  channel: "date",
  operators: "DATE",
  assignable: false,
  multiple: false,
  titleCapable: false,
  settings: NoSettings,
  parse: refuseWrite,
  compute: ({ created_on }) => momentCell(created_on),
  ...momentRead
}
