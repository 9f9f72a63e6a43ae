// Title of a record: the text of the first title-capable field of its app, or the app's name for a record with its number (developer-api.md 4.1).
import type { Cells } from "../../../platform/primitives/Cell.ts"
import type { Found, RecordFacts } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { type AppDefinition, cellOf } from "./AppDefinition.ts"

const MAX_TITLE = 500

/** Title as stored: `null` if the title field is empty or missing. */
export const titleOf = (
  { titleField }: AppDefinition,
  cells: Cells,
  facts: Pick<RecordFacts, "app_record_id">,
  found: Found
): string | null => {
  if (titleField === undefined) return null
  const type = typeOf(titleField)
  const cell = cellOf(titleField, cells, facts as RecordFacts)
  if (cell.length === 0) return null
  const text = (type.title?.(cell, titleField, found) ?? type.text(cell[0]!, titleField, found)).trim()
  return text === "" ? null : text.slice(0, MAX_TITLE).toWellFormed()
}

/** `<record_name> #<app_record_id>` stands in for an empty title (4.1). */
export const shownTitle = (title: string | null, itemName: string, appRecordId: number) =>
  title ?? `${itemName} #${appRecordId}`
