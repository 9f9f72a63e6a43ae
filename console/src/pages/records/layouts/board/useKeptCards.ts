// Cards that were moved to a column whose order puts them beyond what is drawn of it: each is read by itself, with the conditions of the
// board, so that it stays in sight as long as it belongs there.
import { useQueries } from "@tanstack/react-query"
import type { GridSearch } from "../../recordQueries.ts"
import { firstRecords, withFilters } from "../layoutQueries.ts"
import type { KeptCards, MovedRecords } from "../seenCells.ts"

/** Cards that are kept, those that were moved last: each is a request. */
const MOST_KEPT = 5

export const useKeptCards = (appId: number, search: GridSearch, moved: MovedRecords): KeptCards => {
  const saved = [...moved.values()].filter(({ savedAt }) => savedAt !== undefined).slice(-MOST_KEPT)
  const queries = useQueries({
    queries: saved.map(({ record: { app_record_id } }) =>
      firstRecords(
        appId,
        withFilters(search, { type: "app_record_id", match_type: "equal", values: [{ value: app_record_id }] }),
        1
      )
    )
  })
  return new Map(
    saved.map(({ record }, index) => {
      const { data, dataUpdatedAt } = queries[index]!
      return [record.record_id, { record: data?.records[0], readAt: dataUpdatedAt }]
    })
  )
}
