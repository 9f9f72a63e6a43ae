// Saves a cell over what its reader saw. The record's revision is the precondition; a record that changed elsewhere alone is no conflict, as
// only the cell counts.
import { isApiError } from "@millrace/client"
import { client } from "../../../api/client.ts"
import type { FieldInput, RecordRow } from "../../../api/types.ts"
import { type CellWrite, entriesOfField, isSameValue } from "./CellWrite.ts"
import { behindOwnSaves, rememberSave } from "./ownSaves.ts"

/** How often the record may change elsewhere while one cell is saved. */
const MOST_MERGES = 5

/** Who changed the cell, known if nothing else has changed since. */
const authorOf = ({ last_modified_by, revision }: RecordRow, seen: number): string =>
  revision === seen + 1 ? (last_modified_by?.name ?? "Somebody") : "Somebody"

/** `conflict`: the cell itself was changed by somebody else. */
type WriteOutcome =
  /** @property record as it is now; undefined if its writer may not see it any more */
  | { readonly kind: "saved"; readonly record: RecordRow | undefined }
  | { readonly kind: "conflict"; readonly record: RecordRow; readonly by: string }

type Sent = Pick<CellWrite, "before" | "field" | "input" | "recordId" | "revision" | "shown">

/** @throws what the API or the network answers, other than that the record has changed */
const sendNow = async (write: Sent): Promise<WriteOutcome> => {
  const { before, field, input, recordId, shown } = write
  let revision = behindOwnSaves(write, write.revision)
  for (let merges = 0; ; merges++)
    try {
      const body = { fields: { [field.external_id]: input as FieldInput } }
      const record = await client.records.update({ record_id: recordId, body }, { ifMatch: revision })
      if (!("fields" in record)) return { kind: "saved", record: undefined }
      rememberSave(write, revision, record.revision)
      return { kind: "saved", record }
    } catch (error) {
      if (!isApiError(error, "conflict_error")) throw error
      const record = await client.records.get({ record_id: recordId })
      const current = entriesOfField(record, field)
      // Also after a first attempt whose answer was lost.
      if (shown !== undefined && isSameValue(field, current, shown)) return { kind: "saved", record }
      if (!isSameValue(field, current, before) || merges === MOST_MERGES)
        return { kind: "conflict", record, by: authorOf(record, revision) }
      revision = record.revision
    }
}

let lastSend: Promise<unknown> = Promise.resolve()

/** Sends after what this tab is sending, so that its own saves do not meet. @throws as `sendNow` */
export const sendWrite = (write: Sent): Promise<WriteOutcome> => {
  const outcome = lastSend.then(() => sendNow(write))
  lastSend = outcome.catch(() => undefined)
  return outcome
}
