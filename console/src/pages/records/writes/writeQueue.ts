// Saves edited cells one after another in their order. A service that is away, or asks to wait, gets them when it is back; what it refuses,
// and what somebody else changed meanwhile, waits for its author (WriteNotes.tsx).
import { isApiError } from "@millrace/client"
import { queryClient } from "../../../api/client.ts"
import { busyMillis, isAway, onReturn } from "../../../api/service.ts"
import { currentUserId } from "../../../api/session.ts"
import type { Field, RecordRow } from "../../../api/types.ts"
import { errorWords } from "../../../ui/states.tsx"
import { recordChanged } from "../recordQueries.ts"
import { type CellWrite, entriesOfField, isSameCell, isSameValue } from "./CellWrite.ts"
import { sendWrite } from "./sendWrite.ts"
import { addWrite, changeState, changeWrites, dropWrite, laterWrite, nextWrite, restoreWrites } from "./writeStore.ts"

/** Milliseconds until a write is sent again whose failure does not say how long it lasts. */
const AGAIN_MILLIS = 5_000

let sent: number | undefined
let timer: number | undefined

/** The API names the place by its key, which the note says by its label. */
const reasonOf = (error: unknown, { external_id, label }: Field): string => {
  const place = `fields.${external_id}: `
  return isApiError(error) && error.message.startsWith(place)
    ? `${label} ${error.message.slice(place.length)}.`
    : errorWords(error)
}

const mayPass = (error: unknown) => !isApiError(error) || error.status >= 500 || error.status === 429

/** The write is over this revision if its cell still holds what was seen; else it keeps its own, by which the change is noticed. */
const rebase = (write: CellWrite, record: RecordRow): CellWrite =>
  isSameValue(write.field, entriesOfField(record, write.field), write.before)
    ? { ...write, revision: record.revision }
    : write

/** The saved record stands in the grid at once; a later value of the cell is over the saved one. */
const onSaved = (write: CellWrite, record: RecordRow | undefined) => {
  if (record === undefined) return discardWrite(write)
  const replaceRecord = (held: unknown) => {
    const block = held as { readonly records?: ReadonlyArray<RecordRow> } | undefined
    return block?.records === undefined
      ? held
      : { ...block, records: block.records.map((one) => (one.record_id === record.record_id ? record : one)) }
  }
  queryClient.setQueriesData({ queryKey: ["records", write.appId, "block"] }, replaceRecord)
  queryClient.setQueryData(["record", write.recordId], record)
  changeWrites((one) => {
    if (one.id === write.id) return undefined
    if (one.recordId !== write.recordId || one.state.kind !== "waiting") return one
    const before = isSameCell(one, write) ? entriesOfField(record, one.field) : one.before
    return rebase({ ...one, before }, record)
  })
  void recordChanged(queryClient, record)
}

/** A later value of the same cell takes the place of one that was not saved. */
const giveWay = (write: CellWrite): boolean => {
  const later = laterWrite(write)
  if (later === undefined) return false
  const { before, revision } = write
  changeWrites((one) => (one.id === write.id ? undefined : one.id === later.id ? { ...one, before, revision } : one))
  return true
}

const send = async (write: CellWrite) => {
  const outcome = await sendWrite(write)
  if (outcome.kind === "saved") return onSaved(write, outcome.record)
  if (giveWay(write)) return
  const { by, record } = outcome
  const theirs = entriesOfField(record, write.field)
  changeState(write.id, { kind: "conflict", theirs, revision: record.revision, by })
}

const drain = async () => {
  window.clearTimeout(timer)
  if (sent !== undefined) return
  for (let write = nextWrite(); write !== undefined; write = nextWrite()) {
    sent = write.id
    try {
      await send(write)
    } catch (error) {
      if (mayPass(error)) {
        if (!isAway()) timer = window.setTimeout(drain, Math.max(AGAIN_MILLIS, busyMillis()))
        break
      }
      if (!giveWay(write)) changeState(write.id, { kind: "refused", reason: reasonOf(error, write.field) })
    } finally {
      sent = undefined
    }
  }
}

/** Shows the value at once and saves it as soon as that is possible. */
export const writeCell = (write: Omit<CellWrite, "id" | "state">) => {
  addWrite(write, sent)
  void drain()
}

export const retryWrite = ({ id }: CellWrite) => {
  changeState(id, { kind: "waiting" })
  void drain()
}

/** Of a conflict: writes over what somebody else has put there. */
export const overwrite = ({ id, state }: CellWrite) => {
  if (state.kind !== "conflict") return
  const { revision, theirs } = state
  changeWrites((one) => (one.id === id ? { ...one, revision, before: theirs, state: { kind: "waiting" } } : one))
  void drain()
}

/** The cell shows what is saved. */
export const discardWrite = ({ appId, id, recordId }: CellWrite) => {
  dropWrite(id)
  void recordChanged(queryClient, { app_id: appId, record_id: recordId })
}

/** Takes up what was left unsaved in this tab, once it is known whose it is. */
export const beginWrites = () => {
  const restore = async () => {
    restoreWrites(await currentUserId())
    end()
    onReturn(() => void drain())
    await drain()
  }
  const end = onReturn(() => void restore().catch(() => undefined))
  // Failed for want of the service: its return tries again.
  restore().catch(() => undefined)
}
