// Saves edited cells in their order: one by itself, several that wait as a batch of up to fifty records. A service that is away, or asks to wait, gets them when it is back; what it refuses,
// and what somebody else changed meanwhile, waits for its author (WriteNotes.tsx).
import { isApiError } from "@millrace/client"
import { queryClient } from "../../../api/client.ts"
import { busyMillis, isAway, onReturn } from "../../../api/service.ts"
import { currentUserId } from "../../../api/session.ts"
import type { RecordRow } from "../../../api/types.ts"
import { errorWords } from "../../../ui/errorWords.ts"
import { fieldLabels } from "../fieldLabels.ts"
import { recordsChanged } from "../recordQueries.ts"
import { type CellWrite, cellKey, type Entries, entriesOfField, isSameValue } from "./CellWrite.ts"
import { sendBatch, sendWrite } from "./sendWrite.ts"
import { addWrites, changeState, changeWrites, laterWrite, nextWrites, restoreWrites } from "./writeStore.ts"

/** Milliseconds until a write is sent again whose failure does not say how long it lasts. */
const AGAIN_MILLIS = 5_000

/** Ids of the writes that are on their way. */
let sentIds: ReadonlySet<number> = new Set()
/** Ids of writes that a batch was refused for: each is sent by itself, so that it meets its own answer. */
const singleIds = new Set<number>()
/** Batches that were refused one after another; then all of a batch are sent by themselves. */
let refusals = 0
const MOST_REFUSALS = 3
let timer: number | undefined

/** Is told of each cell as it was saved. */
type SavedListener = (write: CellWrite, saved: Entries) => void
const savedListeners = new Set<SavedListener>()
export const onCellSaved = (listener: SavedListener) => {
  savedListeners.add(listener)
  return () => savedListeners.delete(listener)
}

const mayPass = (error: unknown) => !isApiError(error) || error.status >= 500 || error.status === 429

/** The write is over this revision if its cell still holds what was seen; else it keeps its own, by which the change is noticed. */
const rebase = (write: CellWrite, record: RecordRow): CellWrite =>
  isSameValue(write.field, entriesOfField(record, write.field), write.before)
    ? { ...write, revision: record.revision }
    : write

/** Saved records stand in the grid at once; a later value of a cell is over the saved one. */
const onSaved = (saved: ReadonlyArray<CellWrite>, records: ReadonlyMap<number, RecordRow>) => {
  const [first] = saved
  if (first === undefined) return
  const replaceRecords = (held: unknown) => {
    const block = held as { readonly records?: ReadonlyArray<RecordRow> } | undefined
    return block?.records === undefined
      ? held
      : { ...block, records: block.records.map((one) => records.get(one.record_id) ?? one) }
  }
  queryClient.setQueriesData({ queryKey: ["records", first.appId, "block"] }, replaceRecords)
  for (const record of records.values()) queryClient.setQueryData(["record", record.record_id], record)
  const ids = new Set(saved.map(({ id }) => id))
  const cells = new Set(saved.map(cellKey))
  for (const write of saved) {
    singleIds.delete(write.id)
    const record = records.get(write.recordId)
    if (record !== undefined)
      for (const listener of savedListeners) listener(write, entriesOfField(record, write.field))
  }
  changeWrites((one) => {
    if (ids.has(one.id)) return undefined
    const record = records.get(one.recordId)
    if (record === undefined || one.state.kind !== "waiting") return one
    const formerEntries = cells.has(cellKey(one)) ? entriesOfField(record, one.field) : one.before
    return rebase({ ...one, before: formerEntries }, record)
  })
  void recordsChanged(queryClient, first.appId, [...new Set(saved.map(({ recordId }) => recordId))])
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
  if (outcome.kind === "saved")
    return onSaved([write], new Map(outcome.record === undefined ? [] : [[write.recordId, outcome.record]]))
  if (giveWay(write)) return
  const { by, record } = outcome
  const theirs = entriesOfField(record, write.field)
  changeState(write.id, { kind: "conflict", theirs, revision: record.revision, by })
}

/** The writes of the record that the refusal of a batch names, else all of them. */
const refusedOf = (batch: ReadonlyArray<CellWrite>, error: unknown): ReadonlyArray<CellWrite> => {
  const index = isApiError(error) ? /^inputs\[(\d+)\]/.exec(error.message)?.[1] : undefined
  const recordId = index === undefined ? undefined : [...new Set(batch.map((write) => write.recordId))][Number(index)]
  return recordId === undefined || ++refusals > MOST_REFUSALS
    ? batch
    : batch.filter((write) => write.recordId === recordId)
}

const sendAll = async (writes: ReadonlyArray<CellWrite>) => {
  const [first] = writes
  if (first === undefined) return
  if (writes.length === 1) return send(first)
  const records = await sendBatch(first.appId, writes)
  refusals = 0
  onSaved(writes, new Map(records.map((record) => [record.record_id, record])))
}

const onRefused = (writes: ReadonlyArray<CellWrite>, error: unknown) => {
  const [first, second] = writes
  if (first === undefined) return
  if (second !== undefined) for (const write of refusedOf(writes, error)) singleIds.add(write.id)
  else if (!giveWay(first))
    changeState(first.id, { kind: "refused", reason: errorWords(error, fieldLabels([first.field])) })
}

const drain = async () => {
  window.clearTimeout(timer)
  if (sentIds.size > 0) return
  for (;;) {
    const waitingWrites = nextWrites(({ id }) => singleIds.has(id))
    if (waitingWrites.length === 0) return
    sentIds = new Set(waitingWrites.map(({ id }) => id))
    try {
      await sendAll(waitingWrites)
    } catch (error) {
      if (mayPass(error)) {
        if (!isAway()) timer = window.setTimeout(drain, Math.max(AGAIN_MILLIS, busyMillis()))
        return
      }
      onRefused(waitingWrites, error)
    } finally {
      sentIds = new Set()
    }
  }
}

/** Shows the values at once and saves them as soon as that is possible. */
export const writeCells = (writes: ReadonlyArray<Omit<CellWrite, "id" | "state">>) => {
  addWrites(writes, sentIds)
  void drain()
}

export const retryWrite = ({ id }: CellWrite) => {
  changeState(id, { kind: "waiting" })
  void drain()
}

/** Settles conflicts: writes over what somebody else has put there. */
export const overwrite = (...writes: ReadonlyArray<CellWrite>) => {
  const ids = new Set(writes.map(({ id }) => id))
  for (const id of ids) singleIds.delete(id)
  changeWrites((one) => {
    if (!ids.has(one.id) || one.state.kind !== "conflict") return one
    const { revision, theirs } = one.state
    return { ...one, revision, before: theirs, state: { kind: "waiting" } }
  })
  void drain()
}

/** The cells show what is saved. */
export const discardWrites = (...writes: ReadonlyArray<CellWrite>) => {
  const ids = new Set(writes.map(({ id }) => id))
  changeWrites((one) => (ids.has(one.id) ? undefined : one))
  for (const [appId, ofApp] of Map.groupBy(writes, (write) => write.appId))
    void recordsChanged(queryClient, appId, [...new Set(ofApp.map(({ recordId }) => recordId))])
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
