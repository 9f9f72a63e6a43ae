// Endpoints of the log of deliveries as a whole: its export, replays as jobs (decisions W16), statistics. Rights as in ../Api.ts.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { DeliveryStatus, DeliveryWithAttempts } from "../../../domain/webhooks/Delivery.ts"
import { HookType } from "../../../domain/webhooks/Hook.ts"
import { Replay } from "../../../domain/webhooks/replays/Replay.ts"
import { Statistics, StatisticsStep } from "../../../domain/webhooks/statistics/Statistics.ts"
import { token } from "../../../platform/bounds/sized.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { costs } from "../../middleware/cost.ts"
import { DevApi } from "../../middleware/DevApi.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { requires } from "../../middleware/Requires.ts"
import { groupSummary, withSummary } from "../../middleware/summaries.ts"

const scope = "webhooks:manage" as const
const ofHook = { scope, guard: { kind: "hook", level: 5 } } as const
/** A replay leads to its hook, which the handler checks. */
const ofReplay = { scope, unguarded: "behind another id" } as const

const range = {
  since: Schema.optionalKey(token),
  until: Schema.optionalKey(token),
  step: Schema.optionalKey(StatisticsStep)
}

const replayId = { replay_id: Id }

export class WebhookLogApi extends HttpApiGroup.make("webhookLog")
  .add(
    HttpApiEndpoint.get("export", "/v1/hook/:hook_id/delivery/export", {
      params: { hook_id: Id },
      query: {
        after: Schema.optionalKey(token),
        status: Schema.optionalKey(DeliveryStatus),
        since: Schema.optionalKey(token),
        until: Schema.optionalKey(token),
        type: Schema.optionalKey(HookType),
        error: Schema.optionalKey(token)
      },
      success: HttpApiSchema.StreamNdjson({ schema: DeliveryWithAttempts }),
      error: fails("ValidationError")
    }).pipe(
      requires({ ...ofHook, cost: costs.exports, recorded: true }),
      withSummary(
        "Export deliveries",
        "The log of a hook as JSON lines, oldest first, each delivery with its attempts. `after` takes the delivery_id of the last line that came, and goes on behind it."
      )
    ),
    HttpApiEndpoint.get("replays", "/v1/hook/:hook_id/replay", {
      params: { hook_id: Id },
      success: Schema.Struct({ replays: Schema.Array(Replay) })
    }).pipe(
      requires(ofHook),
      withSummary("List replays of a hook", "The jobs that replay many deliveries, newest first.")
    ),
    HttpApiEndpoint.get("replay", "/v1/hook/replay/:replay_id", {
      params: replayId,
      success: Replay,
      error: fails("Restricted", "NotFound")
    }).pipe(requires(ofReplay), withSummary("Get a replay", "How far a job that replays many deliveries has come.")),
    HttpApiEndpoint.delete("replayCancel", "/v1/hook/replay/:replay_id", {
      params: replayId,
      success: Replay,
      error: fails("Restricted", "NotFound")
    }).pipe(
      requires(ofReplay),
      withSummary("Cancel a replay", "What the job has not sent yet gets its former status back.")
    ),
    HttpApiEndpoint.get("statistics", "/v1/hook/:hook_id/statistics", {
      params: { hook_id: Id },
      query: range,
      success: Statistics,
      error: fails("ValidationError")
    }).pipe(
      requires(ofHook),
      withSummary(
        "Get statistics of a hook",
        "Executions by outcome and time, latencies, backlog and what waits longest."
      )
    ),
    HttpApiEndpoint.get("statisticsOfApp", "/v1/hook/app/:app_id/statistics", {
      params: { app_id: Id },
      query: range,
      success: Statistics,
      error: fails("ValidationError")
    }).pipe(
      requires({ scope, guard: { kind: "app", level: 5 } }),
      withSummary(
        "Get statistics of an app's hooks",
        "Executions by outcome and time, latencies, backlog and what waits longest."
      )
    ),
    HttpApiEndpoint.get("statisticsOfOrganization", "/v1/org/hook/statistics", {
      query: range,
      success: Statistics,
      error: fails("ValidationError", "Restricted")
    }).pipe(
      requires({ scope, unguarded: "of the organization" }),
      withSummary(
        "Get statistics of all hooks",
        "Executions by outcome and time, latencies, backlog and what waits longest."
      )
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Webhook log", "Its export, replays of many deliveries as jobs, and statistics.")) {}
