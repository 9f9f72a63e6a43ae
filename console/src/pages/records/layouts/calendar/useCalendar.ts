// State and actions of a calendar: the records of its weeks, and how one goes to another day.
import { keepPreviousData, useQueries } from "@tanstack/react-query"
import { useState } from "react"
import type { App, Field, RecordFilter, RecordRow } from "../../../../api/types.ts"
import { useCalendar as texts } from "../../../../texts/records/layoutsCalendarWords.ts"
import { changeCells } from "../../edits/changes.ts"
import { entriesAsInput } from "../../entriesAsInput.ts"
import { filterOf } from "../../filterWords.ts"
import type { GridSearch } from "../../recordQueries.ts"
import { entriesOfField, isSameValue } from "../../writes/CellWrite.ts"
import { firstRecords, withFilters } from "../layoutQueries.ts"
import { isUnread, withWrites } from "../seenCells.ts"
import { useMovedRecords, useWritesByRecord } from "../seenRecords.ts"
import { addDays, type Day, moveEntries, type Span, spanOf } from "./days.ts"

/** Records that a calendar shows at most. */
export const MOST_RECORDS = 2_000

const dateFilter = (field: Field, match: RecordFilter["match_type"], day: Day) =>
  filterOf(field, { match, words: "", given: "date" }, day)

/** Conditions of the records with a day between two days. Moments are compared by their day in UTC, so a day more is read on either side. */
const windowFilters = (start: Field, end: Field | undefined, first: Day, last: Day) => {
  const [from, to] = [addDays(first, -1), addDays(last, 1)]
  const startFilter = dateFilter(start, "on_or_before", to)
  // Any day of a range counts.
  const dayFilters = [dateFilter(start, "on_or_after", from), startFilter]
  if (end === undefined) return [dayFilters]
  return [dayFilters, [dateFilter(start, "before", from), dateFilter(end, "on_or_after", from)]]
}

interface CalendarFields {
  readonly start: Field
  readonly end: Field | undefined
}
export const useCalendar = (app: App, { end, start }: CalendarFields, search: GridSearch, first: Day, last: Day) => {
  const [carried, setCarried] = useState<{ readonly record: RecordRow; readonly days: number }>()
  const unsavedWrites = useWritesByRecord(app.app_id)
  const { keep, moved } = useMovedRecords()
  const { desc: _, sort: __, ...conditions } = search
  const sorted = { ...conditions, sort: start.external_id }
  const queries = useQueries({
    queries: windowFilters(start, end, first, last).map((filters) => ({
      ...firstRecords(app.app_id, withFilters(sorted, ...filters), MOST_RECORDS),
      placeholderData: keepPreviousData<any>
    }))
  })
  const saved = new Map<number, RecordRow>()
  for (const { data } of queries)
    for (const record of (data?.records ?? []) as ReadonlyArray<RecordRow>) saved.set(record.record_id, record)
  const readAt = Math.min(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt))
  for (const movedRecord of moved.values())
    if (!saved.has(movedRecord.record.record_id) && isUnread(movedRecord, unsavedWrites, readAt))
      saved.set(movedRecord.record.record_id, movedRecord.record)
  const latest = new Map(saved)
  // The carried record goes from where it was seen, whatever others do with it meanwhile.
  if (carried !== undefined) saved.set(carried.record.record_id, carried.record)

  const dateFields = [start, ...(end === undefined ? [] : [end])]
  const movedBy = (record: RecordRow, days: number): RecordRow => {
    const fields = dateFields.map(({ field_id }) => field_id)
    const cells = record.fields.map((cell) =>
      fields.includes(cell.field_id) ? ({ ...cell, values: moveEntries(cell.values, days) } as typeof cell) : cell
    )
    return { ...record, fields: cells }
  }
  const spans = [...saved.values()].flatMap((record): ReadonlyArray<Span> => {
    const seenRecord = withWrites(record, unsavedWrites.get(record.record_id))
    const isCarried = carried?.record.record_id === record.record_id
    const span = spanOf(isCarried ? movedBy(seenRecord, carried.days) : seenRecord, start, end)
    return span === undefined || span.to < first || span.from > last ? [] : [span]
  })
  const total = queries.every(({ data }) => data !== undefined)
    ? queries.reduce((sum, { data }) => sum + (data?.total ?? 0), 0)
    : undefined

  const findRecord = (recordId: number) => spans.find(({ record }) => record.record_id === recordId)?.record

  /** @param seenRecord as it was seen when the move began */
  const move = (seenRecord: RecordRow, days: number) => {
    const { record_id } = seenRecord
    if (days === 0) return
    // The record of the list, so that the write is over the values that are saved; in another month the list may not have it.
    const latestRecord = latest.get(record_id) ?? seenRecord
    // Somebody else has moved it since: over what was seen, so that the service refuses it and both values are shown.
    const isOvertaken =
      !unsavedWrites.has(record_id) &&
      dateFields.some(
        (field) => !isSameValue(field, entriesOfField(latestRecord, field), entriesOfField(seenRecord, field))
      )
    const record = isOvertaken ? seenRecord : latestRecord
    keep(record)
    const values = dateFields.flatMap((field) => {
      const entries = entriesOfField(seenRecord, field)
      if (entries.length === 0) return []
      const newEntries = moveEntries(entries, days)
      return [
        {
          record,
          field,
          input: entriesAsInput({ field_type: field.field_type, values: newEntries }),
          shown: newEntries
        }
      ]
    })
    changeCells(app.app_id, texts.move, values)
  }
  const isLoading = queries.some(({ data, isPlaceholderData }) => data === undefined || isPlaceholderData)
  const failed = queries.find(({ isError }) => isError)
  return { spans, total, writes: unsavedWrites, carried, setCarried, findRecord, move, isLoading, failed }
}
export type CalendarState = ReturnType<typeof useCalendar>
