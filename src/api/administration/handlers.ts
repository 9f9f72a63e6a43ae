// Translates the organization's administration between HTTP and its services.
import { Effect } from "effect"
import { Caller } from "../../domain/accounts/Caller.ts"
import { AppAdministration, type Whose } from "../../domain/administration/AppAdministration.ts"
import { AuditEvents } from "../../domain/administration/AuditEvents.ts"
import { group } from "../middleware/requestContext.ts"
import { rangeOf } from "../webhooks/times.ts"
import { AppPolicyApi, AuditApi, ConnectionsApi } from "./Api.ts"

interface PageQuery {
  readonly client_id?: string
  readonly limit?: number
  readonly offset?: number
}

export const ConnectionsHandlers = group(
  ConnectionsApi,
  Effect.fnUntraced(function* (handlers) {
    const apps = yield* AppAdministration
    const page =
      (whose: Whose) =>
      ({ query: { client_id, limit = 50, offset = 0 } }: { readonly query: PageQuery }) =>
        Effect.flatMap(Caller, (caller) => apps.connections(caller, whose, { clientId: client_id, limit, offset }))
    return handlers.handleAll({
      own: page("own"),
      organization: page("organization"),
      end: ({ params }) => Effect.flatMap(Caller, (caller) => apps.end(caller, params.connection_id)),
      endAll: ({ payload }) =>
        Effect.map(
          Effect.flatMap(Caller, (caller) => apps.endAll(caller, payload.client_id, payload.of)),
          (ended) => ({ ended })
        )
    })
  })
)

export const AppPolicyHandlers = group(
  AppPolicyApi,
  Effect.fnUntraced(function* (handlers) {
    const apps = yield* AppAdministration
    const countEnded = Effect.map((ended: number) => ({ ended }))
    return handlers.handleAll({
      apps: () => Effect.flatMap(Caller, apps.byApp),
      setMode: ({ payload }) =>
        Effect.map(
          Effect.flatMap(Caller, (caller) => apps.setMode(caller, payload.mode)),
          (mode) => ({ mode })
        ),
      setAccess: ({ payload }) =>
        countEnded(Effect.flatMap(Caller, (caller) => apps.setAccess(caller, payload.client_id, payload.access))),
      setUserBlock: ({ payload: { blocked, client_id, user_id } }) =>
        countEnded(Effect.flatMap(Caller, (caller) => apps.setUserBlock(caller, client_id, user_id, blocked)))
    })
  })
)

export const AuditHandlers = group(
  AuditApi,
  Effect.fnUntraced(function* (handlers) {
    const audit = yield* AuditEvents
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, client_id, event, limit, since, until, user_id } }) {
        const caller = yield* Caller
        const range = yield* rangeOf({ ...(since !== undefined && { since }), ...(until !== undefined && { until }) })
        const search = { event, userId: user_id, clientId: client_id, before, limit: limit ?? 100 }
        const events = yield* audit.list(caller, { ...search, since: range.since, until: range.before })
        return { events }
      })
    })
  })
)
