// Apps that are connected, by app and one by one.
import type { AnswerOf } from "@millrace/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { connectionQueries as texts } from "../../texts/admin/connectionsWords.ts"

export type ConnectedApp = AnswerOf<"appPolicy.apps">["apps"][number]
export type Connection = AnswerOf<"connections.organization">["connections"][number]
export type Access = NonNullable<ConnectedApp["access"]>

export type Mode = AnswerOf<"appPolicy.apps">["mode"]

/** Key of everything that a rule or an end of connections changes. */
export const CONNECTIONS = ["connections"] as const

/** Connections on a page. */
export const PAGE = 50

export const connectedApps = queryOptions({
  queryKey: [...CONNECTIONS, "apps"],
  queryFn: ({ signal }) => client.appPolicy.apps({}, { signal })
})

export const connectionsOf = (client_id: string, offset: number) =>
  queryOptions({
    queryKey: [...CONNECTIONS, "organization", client_id, offset],
    queryFn: ({ signal }) => client.connections.organization({ client_id, limit: PAGE, offset }, { signal })
  })

export const nameOf = ({ client_id, client_name }: Pick<ConnectedApp, "client_id" | "client_name">) =>
  client_name ?? client_id

export const accessWords: Record<Access, string> = texts.accessWords
export const accessTones = { everyone: "good", admins: "warn", blocked: "bad" } as const

/** The choice of no rule, by what the organization lets connect. */
export const noRuleWords: Record<Mode, string> = texts.noRuleWords

export const peopleWords = (count: number) => texts.people(count)

/** Counts the permissions that somebody has granted. */
export const scopesSaid = ({ scopes }: Connection) => texts.permissions(scopes.length)
