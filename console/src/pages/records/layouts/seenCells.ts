// Cells of records as they are seen, as plain functions: with what is not saved yet, and at a new place until the lists have been read again.
import type { Field, RecordRow } from "../../../api/types.ts"
import { asCell, type CellWrite } from "../writes/CellWrite.ts"

/** The first records of a listing; their number where that is more. */
export interface FirstRecords {
  readonly records: ReadonlyArray<RecordRow>
  readonly total: number | null
}

/** The unsaved cells by record. */
export type Writes = ReadonlyMap<number, ReadonlyArray<CellWrite>>

/** The record with the values that were put into its cells. */
export const withWrites = (record: RecordRow, writes: ReadonlyArray<CellWrite> | undefined): RecordRow => {
  const shownWrites = (writes ?? []).filter(({ shown }) => shown !== undefined)
  if (shownWrites.length === 0) return record
  const cells = new Map(shownWrites.map(({ field, shown }) => [field.field_id, asCell(field, shown!)]))
  return { ...record, fields: [...record.fields.filter(({ field_id }) => !cells.has(field_id)), ...cells.values()] }
}

export const cellOf = ({ fields }: RecordRow, { field_id }: Field) => fields.find((cell) => cell.field_id === field_id)

export interface MovedRecord {
  readonly record: RecordRow
  /** When its cell was saved, in ms; undefined before. */
  readonly savedAt: number | undefined
}
export type MovedRecords = ReadonlyMap<number, MovedRecord>

/** Answer about a moved record by itself, and when it came; its record is undefined where it does not match the conditions of the layout. */
interface KeptRecord {
  readonly record: RecordRow | undefined
  readonly readAt: number
}
export type KeptCards = ReadonlyMap<number, KeptRecord>

/** True as long as a list that was read at that time may not hold the record at its new place. */
export const isUnread = ({ record, savedAt }: MovedRecord, writes: Writes, readAt: number): boolean =>
  savedAt === undefined ? writes.has(record.record_id) : savedAt >= readAt
