// The columns of a board: one for each option, person or related record, and one for records without any (docs/console.md, "Board, calendar, gallery").
import { type Color, palette } from "../../../../../../src/domain/records/fields/input/optionColors.ts"
import type { Field, RecordFilter, RecordGroup, RecordRow } from "../../../../api/types.ts"
import { boardColumns as texts } from "../../../../texts/records/layoutsBoardWords.ts"
import { filterOf } from "../../filterWords.ts"
import {
  cellOf,
  type FirstRecords,
  isUnread,
  type KeptCards,
  type MovedRecords,
  type Writes,
  withWrites
} from "../seenCells.ts"

/** Key of the column of records without a value; those of others are the ids of option, user or record. */
export const NONE = 0

export interface BoardOption {
  readonly key: number
  readonly text: string
  /** Hexadecimal, without `#`; undefined of what has none. */
  readonly color: string | undefined
  /** Entry of the field in the records of the column; undefined where they have none. */
  readonly entry: unknown
}

interface OptionSetting {
  readonly id: number
  readonly text: string
  readonly color: Color
}
const optionSettings = ({ config: { settings } }: Field): ReadonlyArray<OptionSetting> =>
  "options" in settings ? (settings.options as ReadonlyArray<OptionSetting>) : []

/** Value of a field of options, people or related records, as its entries hold it. */
type Value = { readonly id: number } | { readonly user_id: number } | { readonly record_id: number }
const keyOf = (value: Value): number =>
  "user_id" in value ? value.user_id : "record_id" in value ? value.record_id : value.id

/** The columns of a field whose values are not in its definition. */
export const isOpenEnded = ({ field_type }: Field): boolean =>
  field_type === "single_user" || field_type === "single_relation"

/** @param groups of the records, for a field of people or related records @param users who have a column without a record too */
export const boardOptions = (
  field: Field,
  groups: ReadonlyArray<RecordGroup> = [],
  users: ReadonlyArray<{ readonly user_id: number; readonly name: string }> = []
): ReadonlyArray<BoardOption> => {
  const ofSettings = optionSettings(field).map((one) => {
    const value = { ...one, color: palette[one.color] }
    return { key: one.id, text: one.text, color: value.color, entry: { value } }
  })
  const ofGroups = groups.flatMap(({ text, values: [entry] }) =>
    entry === undefined ? [] : [{ key: keyOf((entry as { value: Value }).value), text, color: undefined, entry }]
  )
  const keys = new Set(ofGroups.map(({ key }) => key))
  const others = users
    .filter(({ user_id }) => !keys.has(user_id))
    .map((value) => ({ key: value.user_id, text: value.name, color: undefined, entry: { value } }))
  const none = { key: NONE, text: texts.noLabel(field.label.toLowerCase()), color: undefined, entry: undefined }
  return [...ofSettings, ...ofGroups, ...others, none]
}

/** The condition of a column's records. */
export const columnFilter = (field: Field, key: number): RecordFilter =>
  key === NONE
    ? filterOf(field, { match: "empty", words: "", given: "nothing" }, "")
    : filterOf(field, { match: "equal", words: "", given: "option" }, String(key))

/** Entries of the field in the records of a column. */
export const entriesOfColumn = (options: ReadonlyArray<BoardOption>, key: number): ReadonlyArray<unknown> => {
  const entry = options.find((option) => option.key === key)?.entry
  return entry === undefined ? [] : [entry]
}

export const columnOf = (record: RecordRow, field: Field): number => {
  const entry = cellOf(record, field)?.values[0] as { readonly value: Value } | undefined
  return entry === undefined ? NONE : keyOf(entry.value)
}

/** Records of a column as they were read, and when. */
interface ReadColumn extends FirstRecords {
  readonly readAt: number
}

export interface BoardColumn {
  readonly records: ReadonlyArray<RecordRow>
  /** Number of records; null before the first answer. */
  readonly total: number | null
}

interface Placing {
  readonly field: Field
  readonly keys: ReadonlyArray<number>
  readonly read: ReadonlyMap<number, ReadColumn>
  readonly writes: Writes
  readonly moved: MovedRecords
  /** Records that were moved, each as it was read by itself. */
  readonly kept: KeptCards
  /** The record that the keyboard carries, and the column above which it is. */
  readonly carried: { readonly record: RecordRow; readonly over: number } | undefined
}

/** Each record in the column of its value as it is seen; those that are new in a column come first, until it is read again. */
export const placeRecords = ({
  carried,
  field,
  kept,
  keys,
  moved,
  read,
  writes
}: Placing): ReadonlyMap<number, BoardColumn> => {
  const newest = new Map<number, RecordRow>()
  for (const { records } of read.values())
    for (const record of records) {
      const newestRecord = newest.get(record.record_id)
      if (newestRecord === undefined || newestRecord.revision < record.revision) newest.set(record.record_id, record)
    }
  const seenPlaceOf = (record: RecordRow) => {
    const seenRecord = withWrites(newest.get(record.record_id) ?? record, writes.get(record.record_id))
    const key = carried?.record.record_id === record.record_id ? carried.over : columnOf(seenRecord, field)
    return { seen: seenRecord, key }
  }
  const recordsByKey = new Map(keys.map((key) => [key, [] as Array<RecordRow>]))
  const incoming = new Map(keys.map((key) => [key, new Map<number, RecordRow>()]))
  const outgoing = new Map(keys.map((key) => [key, 0]))
  const take = (record: RecordRow, from: number | undefined) => {
    const { key, seen } = seenPlaceOf(record)
    if (key === from) return void recordsByKey.get(key)!.push(seen)
    if (from !== undefined) outgoing.set(from, outgoing.get(from)! + 1)
    const isOwn = read.get(key)?.records.some(({ record_id }) => record_id === record.record_id) === true
    if (!isOwn) incoming.get(key)?.set(record.record_id, seen)
  }
  for (const [key, { records }] of read) for (const record of records) take(record, key)
  /** Records that a column counts and has not drawn. */
  const undrawn = new Map(keys.map((key) => [key, new Map<number, RecordRow>()]))
  const keep = (record: RecordRow) => {
    const counting = columnOf(record, field)
    const column = read.get(counting)
    if (column === undefined || column.records.length >= (column.total ?? 0)) return
    const { key, seen } = seenPlaceOf(record)
    if (key !== counting) outgoing.set(counting, outgoing.get(counting)! + 1)
    const placed = key === counting ? undrawn : incoming
    placed.get(key)?.set(record.record_id, seen)
  }
  for (const movedRecord of moved.values()) {
    const { record, savedAt = 0 } = movedRecord
    if (newest.has(record.record_id)) continue
    const { key } = seenPlaceOf(record)
    const own = kept.get(record.record_id)
    if (isUnread(movedRecord, writes, read.get(key)?.readAt ?? 0)) take(record, undefined)
    else if (own !== undefined) {
      const latest = own.readAt < savedAt ? record : own.record
      if (latest !== undefined) keep(latest)
    }
  }
  const isPlaced = (id: number) => newest.has(id) || [...undrawn.values()].some((cards) => cards.has(id))
  if (carried !== undefined && !isPlaced(carried.record.record_id)) take(carried.record, undefined)
  return new Map(
    keys.map((key) => {
      const total = read.get(key)?.total ?? null
      const added = incoming.get(key)!
      const records = [...added.values(), ...undrawn.get(key)!.values(), ...recordsByKey.get(key)!]
      return [key, { records, total: total === null ? null : total + added.size - outgoing.get(key)! }]
    })
  )
}
