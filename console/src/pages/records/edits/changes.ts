// Changes that are made in a grid, with undo and redo: cells go through the write queue, records are created, deleted and restored by
// batches. The tab remembers the last fifty changes of each app until it is reloaded.
import { queryClient } from "../../../api/client.ts"
import type { Field, RecordRow } from "../../../api/types.ts"
import { changes as texts } from "../../../texts/records/edits.ts"
import { entriesAsInput } from "../entriesAsInput.ts"
import { recordsChanged } from "../recordQueries.ts"
import { cellKey, type Entries, entriesOfField } from "../writes/CellWrite.ts"
import { discardWrites, onCellSaved, writeCells } from "../writes/writeQueue.ts"
import { currentWrites } from "../writes/writeStore.ts"
import {
  type CellEdit,
  type Change,
  emptyHistory,
  type History,
  partEdits,
  stepped,
  withChange,
  withSaved
} from "./history.ts"
import { moveRecords, removeRecords } from "./moveRecords.ts"

const histories = new Map<number, History>()
const historyOf = (appId: number) => histories.get(appId) ?? emptyHistory

onCellSaved(({ appId, field, recordId, shown }, saved) =>
  histories.set(appId, withSaved(historyOf(appId), { recordId, fieldId: field.field_id, saved, shown }))
)

export const noteChange = (appId: number, label: string, change: Partial<Omit<Change, "label">>) =>
  histories.set(appId, withChange(historyOf(appId), { label, edits: [], created: [], deleted: [], ...change }))

export interface NewValue {
  readonly record: RecordRow
  readonly field: Field
  /** Input that the API is sent; null empties the cell. */
  readonly input: unknown
  /** Entries as the cell shows them until they are saved; undefined if they cannot be known before. */
  readonly shown: Entries | undefined
}

const pendingWrites = () => new Map(currentWrites().map((write) => [cellKey(write), write]))

/** Reads the entries that one sees in a cell: of an edit that is not saved yet, else the record's. */
export const seenEntries = () => {
  const pending = pendingWrites()
  return (record: RecordRow, field: Field): Entries =>
    pending.get(cellKey({ field, recordId: record.record_id }))?.shown ?? entriesOfField(record, field)
}

/** Puts values into cells, as one change. */
export const changeCells = (
  appId: number,
  label: string,
  values: ReadonlyArray<NewValue>,
  created: ReadonlyArray<number> = []
) => {
  const entriesOf = seenEntries()
  const edits = values.map(({ field, record, shown }): CellEdit => {
    const { record_id: recordId, revision, title } = record
    const formerEntries = entriesOf(record, field)
    return { recordId, recordTitle: title, field, revision, before: formerEntries, after: shown }
  })
  if (edits.length > 0 || created.length > 0) noteChange(appId, label, { edits, created })
  writeCells(
    values.map(({ field, input, record, shown }, index) => {
      const { recordId, recordTitle, revision } = edits[index]!
      const formerEntries = entriesOfField(record, field)
      return {
        appId,
        recordId,
        recordTitle,
        field,
        revision,
        before: formerEntries,
        input,
        ...(shown !== undefined && { shown })
      }
    })
  )
}

/** @throws what the API or the network answers; what is deleted by then can be undone */
export const deleteRecords = async (appId: number, ids: ReadonlyArray<number>) => {
  const deleted: Array<number> = []
  try {
    await removeRecords(appId, ids, (batch) => void deleted.push(...batch))
  } finally {
    if (deleted.length > 0) noteChange(appId, "Delete", { deleted })
    void recordsChanged(queryClient, appId, deleted)
  }
}

/** Records as the grid has loaded them, by id. */
export const loadedRecords = (appId: number) => {
  const blocks = queryClient.getQueriesData<{ readonly records?: ReadonlyArray<RecordRow> }>({
    queryKey: ["records", appId, "block"]
  })
  const records = new Map<number, RecordRow>()
  for (const record of blocks.flatMap(([, block]) => block?.records ?? [])) {
    const knownRecord = records.get(record.record_id)
    if (knownRecord === undefined || knownRecord.revision <= record.revision) records.set(record.record_id, record)
  }
  return records
}

const cellsCount = (count: number) => texts.countCells(count.toLocaleString(), count)

/** Turns the last change back, or makes it again. @returns what was done, in words @throws what the API or the network answers */
export const stepHistory = async (appId: number, side: "undo" | "redo"): Promise<string> => {
  const step = stepped(historyOf(appId), side)
  if (step === undefined) return side === "undo" ? texts.nothingToUndo : texts.nothingToRedo
  const { change } = step
  const records = loadedRecords(appId)
  const pending = pendingWrites()
  const writeOf = ({ field, recordId }: CellEdit) => pending.get(cellKey({ field, recordId }))
  const { open, overtaken } = partEdits(change, (edit) => {
    const [record, write] = [records.get(edit.recordId), writeOf(edit)]
    return write?.shown ?? (record === undefined ? undefined : entriesOfField(record, edit.field))
  })
  const leftCount = await moveRecords(appId, change)
  const doneChange = { ...change, edits: open }
  const other = side === "undo" ? "redo" : "undo"
  histories.set(appId, { ...step.history, [other]: [...step.history[other].slice(0, -1), doneChange] })
  // A value that the service did not take has changed nothing: the cell shows what is saved.
  const refusedInputs = open.filter((edit) => (writeOf(edit)?.state.kind ?? "waiting") !== "waiting")
  discardWrites(...refusedInputs.flatMap((edit) => writeOf(edit) ?? []))
  const openEdits = open.filter((edit) => !refusedInputs.includes(edit))
  writeCells(
    openEdits.map(({ after = [], before, field, recordId, recordTitle, revision }) => {
      const input = entriesAsInput({ field_type: field.field_type, values: after })
      const seenRevision = records.get(recordId)?.revision ?? revision
      return { appId, recordId, recordTitle, field, revision: seenRevision, before, input, shown: after }
    })
  )
  const leftWords = leftCount === 0 ? "" : texts.leftCountRecordsStayed(leftCount.toLocaleString(), leftCount)
  const summary = `${side === "undo" ? texts.undone : texts.redone}: ${change.label.toLowerCase()}.${leftWords}`
  return overtaken.length === 0
    ? summary
    : texts.summaryCellsCountStayed(summary, cellsCount(overtaken.length), overtaken.length)
}
