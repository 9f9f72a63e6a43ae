// Translates the export of deliveries, decisions W16 and the statistics of hooks between HTTP and the webhook services.
import { Clock, Effect } from "effect"
import { Access } from "../../../domain/accounts/Access.ts"
import { Caller } from "../../../domain/accounts/Caller.ts"
import { DeliveryExport } from "../../../domain/webhooks/DeliveryExport.ts"
import { HookReplays } from "../../../domain/webhooks/replays/HookReplays.ts"
import { HookStatistics } from "../../../domain/webhooks/statistics/HookStatistics.ts"
import type { StatisticsOf, StatisticsStep } from "../../../domain/webhooks/statistics/Statistics.ts"
import { Restricted } from "../../../platform/primitives/errors.ts"
import { group } from "../../middleware/requestContext.ts"
import { hookAccess } from "../hookAccess.ts"
import { instant, instantAfter, rangeOf } from "../times.ts"
import { WebhookLogApi } from "./Api.ts"

const DAY = 86_400_000

interface RangeQuery {
  readonly since?: string
  readonly until?: string
  readonly step?: StatisticsStep
}

export const WebhookLogHandlers = group(
  WebhookLogApi,
  Effect.fnUntraced(function* (handlers) {
    const deliveries = yield* DeliveryExport
    const replays = yield* HookReplays
    const statistics = yield* HookStatistics
    const access = yield* Access

    /** The last day by the hour, where nothing is said. */
    const read = Effect.fnUntraced(function* (of: StatisticsOf, { since, step = "hour", until }: RangeQuery) {
      const beforeDate =
        until === undefined ? new Date(yield* Clock.currentTimeMillis) : yield* instantAfter("until", until)
      const begin = since === undefined ? new Date(beforeDate.getTime() - DAY) : (yield* instant("since", since)).date
      return yield* statistics.read(of, { since: begin, before: beforeDate, step })
    })

    const reach = Effect.fnUntraced(function* (replayId: number) {
      yield* hookAccess(access, yield* replays.hookOf(replayId), `No replay with id ${replayId}.`)
      return replayId
    })

    return handlers.handleAll({
      export: Effect.fnUntraced(function* ({ params, query }) {
        const { orgId } = yield* Caller
        const { after: last, error, status, type } = query
        const filter = {
          ...(yield* rangeOf(query)),
          ...(status === undefined ? {} : { status }),
          ...(type === undefined ? {} : { type }),
          ...(error === undefined ? {} : { error })
        }
        return yield* deliveries.read({ hookId: params.hook_id, orgId }, filter, last)
      }),
      replays: ({ params }) => Effect.map(replays.list(params.hook_id), (list) => ({ replays: list })),
      replay: ({ params }) => Effect.flatMap(reach(params.replay_id), replays.get),
      replayCancel: Effect.fnUntraced(function* ({ params }) {
        const { userId } = yield* Caller
        return yield* replays.cancel(yield* reach(params.replay_id), userId)
      }),
      statistics: ({ params, query }) => read({ kind: "hook", id: params.hook_id }, query),
      statisticsOfApp: ({ params, query }) => read({ kind: "app", id: params.app_id }, query),
      statisticsOfOrganization: Effect.fnUntraced(function* ({ query }) {
        const { orgId, role, selection } = yield* Caller
        if ((role !== "owner" && role !== "admin") || selection !== "all")
          return yield* new Restricted({ message: "Owners and admins of the organization see all of its webhooks." })
        return yield* read({ kind: "organization", id: orgId }, query)
      })
    })
  })
)
