// Who the reader is, in which organizations, and which apps act for them in any of them.
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../../api/account.ts"

interface Membership {
  readonly user_id: number
  readonly org_name: string
  readonly role: string
}

export interface Self {
  readonly name: string
  readonly email: string
  readonly user_id: number
  readonly organizations: ReadonlyArray<Membership>
  /** Organizations that ask for a second step, which the person lacks. */
  readonly waiting: ReadonlyArray<Membership>
  /** The token of the session's forms. */
  readonly csrf: string
}

export const self = queryOptions({ queryKey: ["self"], queryFn: () => ask<Self>("/account/self") })

export interface OwnConnection {
  readonly connection_id: number
  readonly client_id: string
  readonly client_name: string | null
  readonly org_name: string
  readonly scopes: ReadonlyArray<{ readonly scope: string; readonly line: string }>
  readonly approved_on: string
  readonly last_used_on: string | null
}

export const OWN_CONNECTIONS = ["connections", "person"] as const

export const ownConnections = queryOptions({
  queryKey: OWN_CONNECTIONS,
  queryFn: () => ask<{ readonly connections: ReadonlyArray<OwnConnection> }>("/account/connections")
})
