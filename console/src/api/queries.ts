// Queries that several pages share, each under one key, so that one page reuses what another has fetched.
import { queryOptions } from "@tanstack/react-query"
import { client } from "./client.ts"

export const me = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => client.accounts.me({}, { signal }),
  staleTime: 60_000
})

export const apps = queryOptions({
  queryKey: ["apps"],
  queryFn: ({ signal }) => client.apps.list({}, { signal }),
  staleTime: 30_000
})

export const appOf = (app_id: number) =>
  queryOptions({
    queryKey: ["app", app_id],
    queryFn: ({ signal }) => client.apps.get({ app_id }, { signal }),
    staleTime: 30_000
  })

export const users = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) => client.accounts.users({}, { signal }),
  staleTime: 60_000
})
