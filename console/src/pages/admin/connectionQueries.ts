// Apps that are connected, by app and one by one.
import type { AnswerOf } from "@millrace/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"

export type ConnectedApp = AnswerOf<"appPolicy.apps">["apps"][number]
export type Connection = AnswerOf<"connections.organization">["connections"][number]
export type Access = NonNullable<ConnectedApp["access"]>

/** Connections on a page. */
export const PAGE = 50

export const connectedApps = queryOptions({
  queryKey: ["connections", "apps"],
  queryFn: ({ signal }) => client.appPolicy.apps({}, { signal })
})

export const connectionsOf = (client_id: string, offset: number) =>
  queryOptions({
    queryKey: ["connections", "organization", client_id, offset],
    queryFn: ({ signal }) => client.connections.organization({ client_id, limit: PAGE, offset }, { signal })
  })

export const nameOf = ({ client_id, client_name }: Pick<ConnectedApp, "client_id" | "client_name">) =>
  client_name ?? client_id

export const accessWords: Record<Access, string> = {
  everyone: "Approved for everyone",
  admins: "Approved for admins and owners only",
  blocked: "Blocked"
}
export const accessTones = { everyone: "good", admins: "warn", blocked: "bad" } as const

/** Counts the permissions that somebody has granted. */
export const scopesSaid = ({ scopes }: Connection) =>
  scopes.length === 1 ? "1 permission" : `${scopes.length} permissions`
