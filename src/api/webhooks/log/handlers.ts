// Translates decisions W16 between HTTP and the replays of hooks.
import { Effect } from "effect"
import { Access } from "../../../domain/accounts/Access.ts"
import { Caller } from "../../../domain/accounts/Caller.ts"
import { HookReplays } from "../../../domain/webhooks/replays/HookReplays.ts"
import { group } from "../../door/lean.ts"
import { throughHook } from "../throughHook.ts"
import { WebhookLogApi } from "./Api.ts"

export const WebhookLogHandlers = group(
  WebhookLogApi,
  Effect.fnUntraced(function* (handlers) {
    const replays = yield* HookReplays
    const access = yield* Access

    const reach = Effect.fnUntraced(function* (replayId: number) {
      yield* throughHook(access, yield* replays.hookOf(replayId), `No replay with id ${replayId}.`)
      return replayId
    })

    return handlers.handleAll({
      replays: ({ params }) => Effect.map(replays.list(params.hook_id), (list) => ({ replays: list })),
      replay: ({ params }) => Effect.flatMap(reach(params.replay_id), replays.get),
      replayCancel: Effect.fnUntraced(function* ({ params }) {
        const { userId } = yield* Caller
        return yield* replays.cancel(yield* reach(params.replay_id), userId)
      })
    })
  })
)
