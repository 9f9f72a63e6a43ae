// The record's own times as fields (developer-api.md 3.3).

import type { Cell, DateEntry } from "../../../../platform/primitives/Cell.ts"
import type { ComputedType } from "../contract/FieldType.ts"
import { refuseWrite } from "../input/writeInput.ts"
import { DateEntryView, dateFilter, dateKind, passesDate, renderDate } from "./dateFields.ts"
import { NoSettings } from "./noSettings.ts"

export const momentCell = (moment: string | null): Cell => (moment === null ? [] : [{ start: moment }])

/** @param column of `records` */
export const momentFilter = (column: "created_on" | "last_modified_on") => ({
  ...dateFilter,
  otherTypes: ["date"],
  passes: passesDate(({ lit }) => {
    const moment = lit(`to_char(r.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`)
    return [moment, moment]
  })
})

export const momentKind = {
  ...dateKind,
  assignable: false,
  titleCapable: false,
  settings: NoSettings,
  parse: refuseWrite,
  render: (entry) => renderDate(entry, false),
  entry: DateEntryView,
  text: (entry) => (entry as DateEntry).start
} satisfies Partial<ComputedType<"dates">>
