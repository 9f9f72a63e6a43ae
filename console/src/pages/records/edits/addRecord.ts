// Adds an empty record to a grid, with the defaults of its fields.
import type { App } from "../../../api/types.ts"
import { addRecord as texts } from "../../../texts/records/edits.ts"
import { noteChange } from "./changes.ts"
import { createRecords } from "./moveRecords.ts"
import { newRecordFields } from "./newRecord.ts"

/** @returns id of the record; undefined if it needs values first, which its form asks for @throws what the API or the network answers */
export const addRecord = async (app: App): Promise<number | undefined> => {
  const fields = newRecordFields(app, {})
  if ("missing" in fields) return undefined
  const { failure, ids } = await createRecords(app.app_id, [fields.fields])
  if (failure !== undefined) throw failure.error
  noteChange(app.app_id, texts.addARecord, { created: ids })
  return ids[0]
}
