// Queries of the pages that build apps, and the invalidation of those that are stale after a change.
import { ApiError } from "@millrace/client"
import { type QueryClient, queryOptions } from "@tanstack/react-query"
import { client, queryClient } from "../../api/client.ts"
import { apps, me } from "../../api/queries.ts"

/** Workspaces in which the reader may build apps: all that they see for owners and admins, else those that they administer. */
export const buildable = queryOptions({
  queryKey: ["workspaces", "buildable"],
  queryFn: async ({ signal }) => {
    const [{ role: ownRole, user_id: ownId }, { workspaces }] = await Promise.all([
      queryClient.fetchQuery(me),
      client.workspaces.list({}, { signal })
    ])
    if (ownRole === "owner" || ownRole === "admin") return workspaces
    if (ownRole === "guest") return []
    const members = await Promise.all(
      workspaces.map(({ workspace_id }) =>
        client.workspaces.members({ workspace_id }, { signal }).catch((error: unknown) => {
          // Who its members are is told to these alone.
          if (error instanceof ApiError && error.status === 403) return { workspace_members: [] }
          throw error
        })
      )
    )
    return workspaces.filter((_, at) =>
      members[at]!.workspace_members.some(({ role, user_id }) => user_id === ownId && role === "admin")
    )
  },
  staleTime: 300_000
})

/** Apps that the reader administers: those who may have webhooks and automations made by them (developer-api.md 2.3). */
export const administered = queryOptions({
  queryKey: ["apps", "administered"],
  queryFn: async () => {
    const [workspaces, { apps: all }] = await Promise.all([
      queryClient.fetchQuery(buildable),
      queryClient.fetchQuery(apps)
    ])
    const ids = new Set(workspaces.map(({ workspace_id }) => workspace_id))
    return { apps: all.filter(({ workspace_id }) => ids.has(workspace_id)) }
  },
  staleTime: 30_000
})

export const fieldUsage = (field_id: number) =>
  queryOptions({
    queryKey: ["usage", "field", field_id],
    queryFn: ({ signal }) => client.usage.ofField({ field_id }, { signal }),
    staleTime: 0
  })

export const appUsage = (app_id: number) =>
  queryOptions({
    queryKey: ["usage", "app", app_id],
    queryFn: ({ signal }) => client.usage.ofApp({ app_id }, { signal }),
    staleTime: 0
  })

/** After a change of the app or its fields. */
export const appChanged = (queries: QueryClient, app_id: number) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["apps"] }),
    queries.invalidateQueries({ queryKey: ["app", app_id] }),
    queries.invalidateQueries({ queryKey: ["views", app_id] }),
    queries.invalidateQueries({ queryKey: ["records", app_id] })
  ])
