// Translates service.md 4.4 and decisions W6 to W8 and W16 between HTTP and the webhook services.

import { Effect } from "effect"
import { Access, Granted } from "../../domain/accounts/Access.ts"
import { Caller } from "../../domain/accounts/Caller.ts"
import { Deliveries } from "../../domain/webhooks/Deliveries.ts"
import { HookConfigurations } from "../../domain/webhooks/HookConfigurations.ts"
import { Hooks } from "../../domain/webhooks/Hooks.ts"
import { HookTests } from "../../domain/webhooks/HookTests.ts"
import { HookReplays } from "../../domain/webhooks/replays/HookReplays.ts"
import { replayedByDefault } from "../../domain/webhooks/replays/Replay.ts"
import { group } from "../middleware/requestContext.ts"
import { WebhooksApi } from "./Api.ts"
import { hookAccess } from "./hookAccess.ts"
import { instant, instantAfter, rangeOf } from "./times.ts"

const DEFAULT_PAGE = 50

export const WebhooksHandlers = group(
  WebhooksApi,
  Effect.fnUntraced(function* (handlers) {
    const hooks = yield* Hooks
    const configurations = yield* HookConfigurations
    const tests = yield* HookTests
    const deliveries = yield* Deliveries
    const replays = yield* HookReplays
    const access = yield* Access

    const reach = Effect.fnUntraced(function* (deliveryId: string) {
      yield* hookAccess(access, yield* deliveries.hookOf(deliveryId), `No delivery with id ${deliveryId}.`)
      return deliveryId
    })

    return handlers.handleAll({
      create: ({ payload }) => Effect.flatMap(Granted, (grant) => hooks.create(grant, payload)),
      list: () => Effect.map(Effect.flatMap(Granted, hooks.list), (webhooks) => ({ webhooks, total: webhooks.length })),
      get: () => Effect.flatMap(Granted, configurations.get),
      update: ({ payload }) => Effect.flatMap(Granted, (grant) => configurations.change(grant, payload)),
      settings: () => Effect.flatMap(Granted, configurations.settings),
      settingsUpdate: ({ payload }) =>
        Effect.flatMap(Granted, (grant) => configurations.changeSettings(grant, payload)),
      test: ({ payload }) => Effect.flatMap(Granted, (grant) => tests.test(grant, payload.type)),
      samples: () => Effect.map(Effect.flatMap(Granted, tests.samples), (samples) => ({ samples })),
      verification: () => Effect.map(Effect.flatMap(Granted, tests.verification), (attempts) => ({ attempts })),
      verifyRequest: () => Effect.flatMap(Granted, hooks.requestVerification),
      verifyValidate: ({ payload }) => Effect.flatMap(Granted, (grant) => hooks.validate(grant, payload.code)),
      remove: () => Effect.flatMap(Granted, hooks.remove),
      secret: () => Effect.map(Effect.flatMap(Granted, hooks.secret), (secret) => ({ secret })),
      secretRotate: ({ payload }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => hooks.rotateSecret(grant, payload.overlap_seconds)),
          (secret) => ({ secret })
        ),
      deliveries: Effect.fnUntraced(function* ({ params, query }) {
        const limit = query.limit ?? DEFAULT_PAGE
        const { cursor, record_id, status, type } = query
        const filter = {
          ...(status === undefined ? {} : { status }),
          ...(type === undefined ? {} : { type }),
          ...(record_id === undefined ? {} : { recordId: record_id }),
          ...(yield* rangeOf(query))
        }
        return yield* deliveries.list(params.hook_id, filter, { limit, ...(cursor === undefined ? {} : { cursor }) })
      }),
      delivery: ({ params }) => Effect.flatMap(reach(params.delivery_id), deliveries.get),
      deliveryReplay: Effect.fnUntraced(function* ({ params }) {
        const { userId } = yield* Caller
        return { replayed: yield* deliveries.replay(yield* reach(params.delivery_id), userId) }
      }),
      replay: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* Caller
        const { error, per_minute, since, status, type, until } = payload
        const choice = {
          since: (yield* instant("since", since)).date,
          before: until === undefined ? undefined : yield* instantAfter("until", until),
          statuses: status ?? replayedByDefault,
          errors: error,
          types: type,
          perMinute: per_minute
        }
        const { counted, job_id, replay_id, replayed } = yield* replays.start(params.hook_id, choice, caller)
        return { replay_id, job_id, replayed: counted ? replayed : null }
      })
    })
  })
)
