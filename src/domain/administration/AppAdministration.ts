// Connected apps of an organization: each app with its rules, the caller's own connections, and ending one or all of an app (decisions
// O15). The connections module ends them and writes the audit log.
import { Context, Effect, Layer } from "effect"
import { formatDateTime, formatDateTimeOrNull } from "../../platform/primitives/dates.ts"
import { NotFound, type Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { Users } from "../accounts/Users.ts"
import { AppPolicies } from "../connections/AppPolicies.ts"
import type { ConnectionView } from "../connections/Connection.ts"
import { Connections } from "../connections/Connections.ts"
import type { AppAccess, PolicyMode } from "../connections/connectPermission.ts"
import { makeIsPolicyClient } from "../oauth/clients/policyClients.ts"
import type { AppConnection, ConnectedApp } from "./administrationSchemas.ts"
import { administrates, byAdministrator, byPerson } from "./administrators.ts"

/** Owner of the connections: the caller, or the organization. */
export type Whose = "own" | "organization"

export interface ConnectionPage {
  readonly clientId?: string | undefined
  readonly limit: number
  readonly offset: number
}

const toAppConnection = (c: ConnectionView): AppConnection => ({
  connection_id: c.connection_id,
  client_id: c.client_id,
  client_name: c.client_name,
  user_id: c.user_id,
  user_name: c.user_name,
  scopes: c.scopes,
  approved_on: formatDateTime(c.approved_on),
  last_used_on: formatDateTimeOrNull(c.last_used_on),
  expires_on: formatDateTimeOrNull(c.expires_on)
})

interface Paged {
  readonly connections: ReadonlyArray<AppConnection>
  readonly total: number
}

export class AppAdministration extends Context.Service<
  AppAdministration,
  {
    readonly byApp: (
      caller: CallerShape
    ) => Effect.Effect<
      { readonly mode: PolicyMode; readonly apps: ReadonlyArray<ConnectedApp>; readonly total: number },
      Restricted
    >
    readonly connections: (caller: CallerShape, whose: Whose, page: ConnectionPage) => Effect.Effect<Paged, Restricted>
    readonly end: (caller: CallerShape, connectionId: number) => Effect.Effect<AppConnection, Restricted | NotFound>
    readonly endAll: (caller: CallerShape, clientId: string, whose: Whose) => Effect.Effect<number, Restricted>
    readonly setMode: (caller: CallerShape, mode: PolicyMode) => Effect.Effect<PolicyMode, Restricted>
    /** Sets the organization's rule for an app. Returns the number of connections that the rule ended. */
    readonly setAccess: (
      caller: CallerShape,
      clientId: string,
      access: AppAccess | null
    ) => Effect.Effect<number, Restricted | ValidationError>
    readonly setUserBlock: (
      caller: CallerShape,
      clientId: string,
      userId: number,
      blocked: boolean
    ) => Effect.Effect<number, Restricted | ValidationError>
  }
>()("millrace/administration/AppAdministration") {
  static readonly layer = Layer.effect(
    AppAdministration,
    Effect.gen(function* () {
      const connections = yield* Connections
      const policies = yield* AppPolicies
      const isRuleable = yield* makeIsPolicyClient
      const users = yield* Users

      const byApp = Effect.fn("AppAdministration.byApp")(function* (caller: CallerShape) {
        yield* byAdministrator(caller)
        const { orgId } = caller
        const [mode, rules, connected] = yield* Effect.all([
          policies.mode(orgId),
          policies.list(orgId),
          connections.byClient(orgId)
        ])
        const used = new Map(connected.map((one) => [one.client_id, one]))
        const ruled = new Set(rules.map(({ client_id }) => client_id))
        const without = connected
          .filter(({ client_id }) => !ruled.has(client_id))
          .map(({ client_id, client_name }) => ({ client_id, client_name, access: null, blocked_user_ids: [] }))
        const apps = [...rules, ...without].map((app): ConnectedApp => {
          const usage = used.get(app.client_id)
          return {
            ...app,
            connections: usage?.connections ?? 0,
            last_used_on: formatDateTimeOrNull(usage?.last_used_on ?? null)
          }
        })
        return { mode, apps, total: apps.length }
      })

      const list = Effect.fn("AppAdministration.connections")(function* (
        caller: CallerShape,
        whose: Whose,
        page: ConnectionPage
      ) {
        yield* whose === "own" ? byPerson(caller) : byAdministrator(caller)
        const ownerFilter = whose === "own" ? { userId: caller.userId } : { orgId: caller.orgId }
        const query = { ...ownerFilter, clientId: page.clientId }
        const connectionRows = yield* connections.list({ ...query, limit: page.limit, offset: page.offset })
        return { connections: connectionRows.map(toAppConnection), total: yield* connections.count(query) }
      })

      const end = Effect.fn("AppAdministration.end")(function* (caller: CallerShape, connectionId: number) {
        yield* byPerson(caller)
        const missing = new NotFound({ message: `No connection with id ${connectionId}.` })
        const [found] = yield* connections.list({ orgId: caller.orgId, connectionId })
        if (found === undefined) return yield* missing
        const isOwn = found.user_id === caller.userId
        if (!isOwn && !administrates(caller)) return yield* missing
        const reach = isOwn ? { personId: caller.personId } : { orgId: caller.orgId, adminUserId: caller.userId }
        if (!(yield* connections.end(connectionId, reach))) return yield* missing
        return toAppConnection(found)
      })

      const endAll = Effect.fn("AppAdministration.endAll")(function* (
        caller: CallerShape,
        clientId: string,
        whose: Whose
      ) {
        yield* whose === "own" ? byPerson(caller) : byAdministrator(caller)
        return yield* connections.endAll(
          clientId,
          whose === "own" ? { userId: caller.userId } : { orgId: caller.orgId, adminUserId: caller.userId }
        )
      })

      const setMode = Effect.fn("AppAdministration.setMode")(function* (caller: CallerShape, mode: PolicyMode) {
        yield* byAdministrator(caller)
        yield* policies.setMode(caller, mode)
        return mode
      })

      const checkRuleable = Effect.fnUntraced(function* (clientId: string) {
        if (yield* isRuleable(clientId)) return
        return yield* new ValidationError({ message: "client_id: there is no app with this client ID." })
      })

      const setAccess = Effect.fn("AppAdministration.setAccess")(function* (
        caller: CallerShape,
        clientId: string,
        access: AppAccess | null
      ) {
        yield* byAdministrator(caller)
        if (access !== null) yield* checkRuleable(clientId)
        return yield* policies.setAccess(caller, clientId, access)
      })

      const setUserBlock = Effect.fn("AppAdministration.setUserBlock")(function* (
        caller: CallerShape,
        clientId: string,
        userId: number,
        blocked: boolean
      ) {
        yield* byAdministrator(caller)
        if (blocked) {
          yield* checkRuleable(clientId)
          if (!(yield* users.list(caller)).some(({ user_id }) => user_id === userId))
            return yield* new ValidationError({ message: `user_id: no user with id ${userId}.` })
        }
        return yield* policies.setUserBlock(caller, clientId, userId, blocked)
      })

      return AppAdministration.of({ byApp, connections: list, end, endAll, setMode, setAccess, setUserBlock })
    })
  )
}
