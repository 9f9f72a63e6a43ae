// Queries of layouts that read records by groups of their own: conditions of the address or of its view, with further ones.

import { queryOptions } from "@tanstack/react-query"
import { client } from "../../../api/client.ts"
import type { RecordFilter, RecordRow } from "../../../api/types.ts"
import { type GridSearch, pageOf } from "../recordQueries.ts"
import type { FirstRecords } from "./seenCells.ts"

export const viewOf = (app_id: number, view_id: number | undefined) =>
  queryOptions({
    queryKey: ["views", app_id, view_id],
    queryFn: async ({ signal }) => (await client.views.get({ view_id: view_id! }, { signal })).view,
    enabled: view_id !== undefined,
    staleTime: 30_000
  })

export const withFilters = (search: GridSearch, ...filters: ReadonlyArray<RecordFilter>): GridSearch => ({
  ...search,
  filters: [...(search.filters ?? []), ...filters]
})

/** Records that a page of the API holds at most. */
const PAGE = 500

/** The first records of a listing. The key is that of a block, in which saved cells are replaced (writeQueue.ts). */
export const firstRecords = (appId: number, search: GridSearch, limit: number) =>
  queryOptions({
    queryKey: ["records", appId, "block", "first", search, limit],
    queryFn: async ({ signal }): Promise<FirstRecords> => {
      const records: Array<RecordRow> = []
      let cursor: string | null = null
      let total: number | null = null
      do {
        const pageBounds = { limit: Math.min(PAGE, limit - records.length), ...(cursor !== null && { cursor }) }
        const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(appId, search, pageBounds, signal)
        records.push(...page.records)
        total ??= page.total
        cursor = page.cursor
      } while (cursor !== null && records.length < limit)
      return { records, total }
    },
    gcTime: 120_000
  })
