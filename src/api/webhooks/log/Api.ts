// What is done with the log of deliveries as a whole: replays as jobs (decisions W16). Rights as in ../Api.ts.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Id } from "../../../domain/accounts/accountSchemas.ts"
import { Replay } from "../../../domain/webhooks/replays/Replay.ts"
import { DevApi } from "../../door/DevApi.ts"
import { requires } from "../../door/Requires.ts"
import { fails } from "../../door/wire.ts"

const scope = "webhooks:manage" as const
const ofHook = { scope, guard: { kind: "hook", level: 5 } } as const
/** A replay leads to its hook, which the handler checks. */
const ofReplay = { scope, unguarded: "behind another id" } as const

const replayId = { replay_id: Id }

export class WebhookLogApi extends HttpApiGroup.make("webhookLog")
  .add(
    HttpApiEndpoint.get("replays", "/v1/hook/:hook_id/replay", {
      params: { hook_id: Id },
      success: Schema.Struct({ replays: Schema.Array(Replay) })
    }).pipe(requires(ofHook)),
    HttpApiEndpoint.get("replay", "/v1/hook/replay/:replay_id", {
      params: replayId,
      success: Replay,
      error: fails("Restricted", "NotFound")
    }).pipe(requires(ofReplay)),
    HttpApiEndpoint.delete("replayCancel", "/v1/hook/replay/:replay_id", {
      params: replayId,
      success: Replay,
      error: fails("Restricted", "NotFound")
    }).pipe(requires(ofReplay))
  )
  .middleware(DevApi) {}
