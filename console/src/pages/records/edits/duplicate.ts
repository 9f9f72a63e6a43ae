// Duplicates records: all values that are not unique, in records of their own.
import type { App, FieldInput, RecordRow } from "../../../api/types.ts"
import { duplicate as texts } from "../../../texts/records/edits.ts"
import { errorWords } from "../../../ui/errorWords.ts"
import { type GridReport, recordsWords } from "../clip/report.ts"
import { editorOf } from "../editors/catalogue.ts"
import { entriesAsInput } from "../entriesAsInput.ts"
import { noteChange, seenEntries } from "./changes.ts"
import { createRecords } from "./moveRecords.ts"

export const duplicateRecords = async (app: App, records: ReadonlyArray<RecordRow>): Promise<GridReport> => {
  const fields = app.fields.filter((field) => editorOf(field) !== undefined && !field.config.unique)
  const entriesOf = seenEntries()
  const inputs = records.map((record) =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const input = entriesAsInput({ field_type: field.field_type, values: entriesOf(record, field) })
        return input === null || input === undefined ? [] : [[field.external_id, input as FieldInput] as const]
      })
    )
  )
  // The newest stands first: the copies stand as their records do.
  const { failure, ids } = await createRecords(app.app_id, inputs.toReversed())
  if (ids.length > 0) noteChange(app.app_id, texts.duplicate, { created: ids })
  const summary = texts.recordsAdded(recordsWords(ids.length))
  return {
    summary,
    problems:
      failure === undefined
        ? []
        : [{ place: recordsWords(records.length - ids.length), reason: errorWords(failure.error) }]
  }
}
