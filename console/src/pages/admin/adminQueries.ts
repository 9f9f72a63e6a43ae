// Queries of the administration's pages, and `useChange`, by which all of them change something: it reports failures and invalidates stale
// queries.
import { type QueryKey, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { client } from "../../api/client.ts"

export const workspaces = queryOptions({
  queryKey: ["workspaces", "all"],
  queryFn: ({ signal }) => client.workspaces.list({}, { signal })
})

export const membersOf = (workspace_id: number) =>
  queryOptions({
    queryKey: ["workspaces", "members", workspace_id],
    queryFn: ({ signal }) => client.workspaces.members({ workspace_id }, { signal })
  })

export const ownSessions = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => client.accounts.sessions({}, { signal })
})

/** A change after which the answers below these keys are asked for again. */
export const useChange = <Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  stale: ReadonlyArray<QueryKey>,
  then?: (answer: Answer) => void
) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
      then?.(answer)
    }
  })
}
