// What the pages of an app and its records ask for.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import type { RecordFilter } from "../../api/types.ts"

export const viewsOf = (app_id: number) =>
  queryOptions({
    queryKey: ["views", app_id],
    queryFn: ({ signal }) => client.views.list({ app_id }, { signal }),
    staleTime: 30_000
  })

export const users = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) => client.accounts.users({}, { signal }),
  staleTime: 60_000
})

export const recordOf = (record_id: number) =>
  queryOptions({
    queryKey: ["record", record_id],
    queryFn: ({ signal }) => client.records.get({ record_id, include_deleted: true }, { signal })
  })

/** What stands in the address of an app's grid. */
export interface GridSearch {
  readonly view?: number | undefined
  readonly sort?: string | undefined
  readonly desc?: boolean | undefined
  readonly filters?: ReadonlyArray<RecordFilter> | undefined
}

const LIMIT = 100

/** Pages of records: of a saved view, or as the address filters and sorts them. */
export const gridOf = (app_id: number, { view, sort, desc, filters }: GridSearch) =>
  infiniteQueryOptions({
    queryKey: ["records", app_id, { view, sort, desc, filters }],
    queryFn: ({ pageParam, signal }) => {
      const page = { limit: LIMIT, ...(pageParam === "" ? {} : { cursor: pageParam }) }
      if (view !== undefined) return client.listings.ofView({ view_id: view, ...page }, { signal })
      const order = sort === undefined ? {} : { sort_by: sort, sort_desc: desc === true }
      const body = { filters: [...(filters ?? [])] }
      return client.listings.filter({ app_id, ...page, ...order, body }, { signal })
    },
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    placeholderData: keepPreviousData
  })
