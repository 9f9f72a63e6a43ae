// Saves a cell over what its reader saw. The record's revision is the precondition; a record that changed elsewhere alone is no conflict, as
// only the cell counts.
import { isApiError } from "@millrace/client"
import { client } from "../../../api/client.ts"
import type { FieldInput, RecordRow } from "../../../api/types.ts"
import { sendWrite as texts } from "../../../texts/records/writesWords.ts"
import { type CellWrite, entriesOfField, isSameValue } from "./CellWrite.ts"
import { behindOwnSaves, rememberSave } from "./ownSaves.ts"

/** Times that the record may change elsewhere while one cell is saved. */
const MOST_MERGES = 5

/** Author of the cell's change, known if nothing else has changed since. */
const authorOf = ({ last_modified_by, revision }: RecordRow, seen: number): string =>
  revision === seen + 1 ? (last_modified_by?.name ?? texts.somebody) : texts.somebody

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
      rememberSave([write], revision, record.revision)
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

/** After what this tab is sending, so that its own saves do not meet. */
const inOrder = <A>(send: () => Promise<A>): Promise<A> => {
  const outcome = lastSend.then(send)
  lastSend = outcome.catch(() => undefined)
  return outcome
}

/** Sends after what this tab is sending. @throws as `sendNow` */
export const sendWrite = (write: Sent): Promise<WriteOutcome> => inOrder(() => sendNow(write))

/** Saves cells of up to fifty records in one request: all or none. @throws what the API or the network answers */
export const sendBatch = (appId: number, writes: ReadonlyArray<CellWrite>): Promise<ReadonlyArray<RecordRow>> =>
  inOrder(async () => {
    const byRecord = [...Map.groupBy(writes, ({ recordId }) => recordId)]
    const inputs = byRecord.map(([record_id, cells]) => ({
      record_id,
      revision: Math.min(...cells.map((cell) => behindOwnSaves(cell, cell.revision))),
      fields: Object.fromEntries(cells.map(({ field, input }) => [field.external_id, input as FieldInput]))
    }))
    const answer = await client.batch.update({ app_id: appId, body: { inputs } })
    const { records: answered = [] } = answer as { readonly records?: ReadonlyArray<Partial<RecordRow>> }
    const records = answered.filter((record): record is RecordRow => record.fields !== undefined)
    for (const [index, record] of records.entries()) {
      const input = inputs[index]!
      rememberSave(byRecord[index]![1], input.revision, record.revision)
    }
    return records
  })
