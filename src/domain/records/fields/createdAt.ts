// `created_at`: a date entry read from the record (developer-api.md 3.3).
import { momentCell, momentRead, refuseWrite } from "./computed.ts"
import type { FieldType } from "./FieldType.ts"
import { NoSettings } from "./none.ts"

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
