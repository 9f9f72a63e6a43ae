// Queries of the pages of an app and its records.
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import type { RecordFilter, RecordRow } from "../../api/types.ts"
import type { GroupUnit } from "./grid/look.ts"
import type { LayoutSearch } from "./layouts/layoutSearch.ts"

export const viewsOf = (app_id: number) =>
  queryOptions({
    queryKey: ["views", app_id],
    queryFn: ({ signal }) => client.views.list({ app_id }, { signal }),
    staleTime: 30_000
  })

export const recordOf = (record_id: number) =>
  queryOptions({
    queryKey: ["record", record_id],
    queryFn: ({ signal }) => client.records.get({ record_id, include_deleted: true }, { signal })
  })

export const trashOf = (app_id: number) =>
  infiniteQueryOptions({
    queryKey: ["records", app_id, "trash"],
    queryFn: ({ pageParam, signal }) =>
      client.listings.trash({ app_id, limit: 50, ...(pageParam === "" ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined
  })

/** After a change of a record. */
export const recordChanged = (queries: QueryClient, { app_id, record_id }: Pick<RecordRow, "app_id" | "record_id">) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["record", record_id] }),
    queries.invalidateQueries({ queryKey: ["revisions", record_id] }),
    queries.invalidateQueries({ queryKey: ["records", app_id] })
  ])

/** After a change of several records of an app. */
export const recordsChanged = (queries: QueryClient, appId: number, recordIds: ReadonlyArray<number>) => {
  const ids = new Set(recordIds)
  const isOneOf = ({ queryKey: [kind, id] }: { readonly queryKey: ReadonlyArray<unknown> }) =>
    (kind === "record" || kind === "revisions") && ids.has(id as number)
  return Promise.all([
    queries.invalidateQueries({ predicate: isOneOf }),
    queries.invalidateQueries({ queryKey: ["records", appId] })
  ])
}

/** Search parameters in the address of an app's grid. */
export interface GridSearch {
  readonly view?: number | undefined
  readonly sort?: string | undefined
  readonly desc?: boolean | undefined
  readonly filters?: ReadonlyArray<RecordFilter> | undefined
  /** A part of the titles that are wanted. */
  readonly title?: string | undefined
}

/** The address of an app's page: its records, their layout, and the record that is open beside them. */
export interface AppSearch extends GridSearch, LayoutSearch {
  readonly record?: number | undefined
}

interface PageAsked {
  readonly limit: number
  readonly cursor?: string
  readonly offset?: number
}

/** Reader's time zone, which defines "today" and in which the grid shows times. */
const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Groups that are asked for at once. */
const GROUPS = 100

/** The groups of records by a field, whatever their order is, with the conditions of a search. */
export const groupsOf = (app_id: number, { filters = [], title }: GridSearch, fieldId: number, unit: GroupUnit) =>
  infiniteQueryOptions({
    queryKey: ["records", app_id, "groups", { filters, title }, fieldId, unit],
    queryFn: ({ pageParam, signal }) =>
      client.listings.groups(
        {
          ...{ app_id, limit: GROUPS, body: { group_by: String(fieldId), unit, filters: [...filters], timezone } },
          ...(title === undefined ? {} : { title }),
          ...(pageParam === "" ? {} : { cursor: pageParam })
        },
        { signal }
      ),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    placeholderData: keepPreviousData
  })

/** A page of records: of a saved view, or as the address filters and sorts them, also where it names the view that this began with. */
export const pageOf = (
  app_id: number,
  { view, sort, desc, filters, title }: GridSearch,
  asked: PageAsked,
  signal: AbortSignal
) => {
  const page = title === undefined ? asked : { ...asked, title }
  if (view !== undefined && filters === undefined && sort === undefined)
    return client.listings.ofView({ view_id: view, timezone, ...page }, { signal })
  const order = sort === undefined ? {} : { sort_by: sort, sort_desc: desc === true }
  return client.listings.filter(
    { app_id, ...page, ...order, body: { filters: [...(filters ?? [])], timezone } },
    { signal }
  )
}
