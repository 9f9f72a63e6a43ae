// State and actions of a board: its columns, each read by itself once it is seen, and how a record goes from one to another.
import { keepPreviousData, useQueries } from "@tanstack/react-query"
import { useCallback, useState } from "react"
import type { App, Field, RecordRow } from "../../../../api/types.ts"
import { useBoard as texts } from "../../../../texts/records/layoutsBoardWords.ts"
import { changeCells } from "../../edits/changes.ts"
import { entriesAsInput } from "../../entriesAsInput.ts"
import type { GridSearch } from "../../recordQueries.ts"
import { firstRecords, withFilters } from "../layoutQueries.ts"
import { useMovedRecords, useWritesByRecord } from "../seenRecords.ts"
import { columnFilter, columnOf, entriesOfColumn, NONE, placeRecords } from "./boardColumns.ts"
import { useBoardOptions } from "./useBoardOptions.ts"
import { useKeptCards } from "./useKeptCards.ts"

/** Records that a column shows at first, and at most. */
const FIRST = 30
export const MOST_CARDS = 480

export const useBoard = (app: App, field: Field, search: GridSearch) => {
  const { failed: failedOptions, isLoading, left, options } = useBoardOptions(app, field, search)
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const [limits, setLimits] = useState<ReadonlyMap<number, number>>(new Map())
  const [carried, setCarried] = useState<{ readonly record: RecordRow; readonly over: number }>()
  const unsavedWrites = useWritesByRecord(app.app_id)
  const { keep, moved } = useMovedRecords()
  const kept = useKeptCards(app.app_id, search, moved)
  const limitOf = (key: number) => limits.get(key) ?? FIRST
  const queries = useQueries({
    queries: options.map(({ key }) => ({
      ...firstRecords(app.app_id, withFilters(search, columnFilter(field, key)), limitOf(key)),
      placeholderData: keepPreviousData<any>,
      enabled: seen.has(key)
    }))
  })
  const read = new Map(
    options.flatMap(({ key }, index) => {
      const { data, dataUpdatedAt } = queries[index]!
      return data === undefined ? [] : [[key, { ...data, readAt: dataUpdatedAt }] as const]
    })
  )
  const columns = placeRecords({
    field,
    keys: options.map(({ key }) => key),
    read,
    writes: unsavedWrites,
    moved,
    kept,
    carried
  })
  const shownOptions = options.filter(
    ({ key }) => key !== NONE || !field.config.required || (columns.get(NONE)?.total ?? 0) > 0
  )

  const show = useCallback(
    (key: number, isSeen: boolean) =>
      setSeen((before) => {
        if (before.has(key) === isSeen) return before
        const next = new Set(before)
        if (isSeen) next.add(key)
        else next.delete(key)
        return next
      }),
    []
  )
  const showMore = useCallback(
    (key: number) =>
      setLimits((before) => new Map(before).set(key, Math.min(MOST_CARDS, (before.get(key) ?? FIRST) * 2))),
    []
  )
  /** True where the column cannot be left empty of its field's value. */
  const isClosed = (key: number) => key === NONE && field.config.required
  const findRecord = (recordId: number) =>
    [...columns.values()].flatMap(({ records }) => records).find(({ record_id }) => record_id === recordId)

  /** @param record as it was seen when the move began */
  const move = (record: RecordRow, key: number) => {
    if (columnOf(record, field) === key || isClosed(key)) return
    const newEntries = entriesOfColumn(options, key)
    // The record of the list, so that the write is over the values that are saved.
    const saved = [...read.values()].flatMap(({ records }) => records)
    const latest =
      saved.find(({ record_id }) => record_id === record.record_id) ??
      kept.get(record.record_id)?.record ??
      moved.get(record.record_id)?.record
    if (latest === undefined) return
    // Somebody else has moved it since: over what was seen, so that the service refuses it and both values are shown.
    const isOvertaken = !unsavedWrites.has(record.record_id) && columnOf(latest, field) !== columnOf(record, field)
    const base = isOvertaken ? record : latest
    keep(base)
    const input = entriesAsInput({ field_type: field.field_type, values: newEntries })
    changeCells(app.app_id, texts.move, [{ record: base, field, input, shown: newEntries }])
  }
  const failed = failedOptions ?? queries.find(({ isError }) => isError)
  const isLoadingMore = (key: number) => queries[options.findIndex((one) => one.key === key)]!.isPlaceholderData
  return {
    ...{
      options: shownOptions,
      columns,
      read,
      writes: unsavedWrites,
      carried,
      setCarried,
      show,
      showMore,
      move,
      findRecord
    },
    ...{ failed, isLoading, left, isLoadingMore, isClosed }
  }
}
export type BoardState = ReturnType<typeof useBoard>
