// Streams changes as server-sent events (decisions, "Events"). They name what has changed and hold no data: a client that wants more reads
// it.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { DeliveryStatus } from "../../domain/webhooks/Delivery.ts"
import { token } from "../../platform/bounds/sized.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

/** Longest duration of a stream, in seconds. */
export const SECONDS_MOST = 300

const event = <const Name extends string, Data extends Schema.Top>(name: Name, data: Data) =>
  Schema.Struct({ id: Schema.String, event: Schema.Literal(name), data: Schema.fromJsonString(data) })

const RecordChanged = Schema.Struct({
  app_id: Schema.Int,
  type: Schema.String,
  record_id: Schema.Int,
  revision: Schema.optionalKey(Schema.Int),
  comment_id: Schema.optionalKey(Schema.Int),
  reply_id: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "RecordChanged" })

const AppChanged = Schema.Struct({ app_id: Schema.Int, type: Schema.String }).annotate({ identifier: "AppChanged" })

const RunChanged = Schema.Struct({
  app_id: Schema.Int,
  run_id: Schema.String,
  automation_id: Schema.Int,
  record_id: Schema.NullOr(Schema.Int),
  status: Schema.Literals(["pending", "running", "completed", "failed", "cancelled"]),
  entries: Schema.Int
}).annotate({ identifier: "RunChanged" })

const DeliveryChanged = Schema.Struct({
  app_id: Schema.Int,
  delivery_id: Schema.String,
  hook_id: Schema.Int,
  type: Schema.String,
  status: DeliveryStatus,
  num_attempts: Schema.Int
}).annotate({ identifier: "DeliveryChanged" })

const Ready = Schema.Struct({ resumed: Schema.Boolean }).annotate({ identifier: "StreamReady" })
const Reset = Schema.Struct({}).annotate({ identifier: "StreamReset" })
const Ended = Schema.Struct({ reason: Schema.Literals(["time", "credential", "stopping"]) }).annotate({
  identifier: "StreamEnd"
})

const Events = Schema.Union([
  event("ready", Ready),
  event("reset", Reset),
  event("record", RecordChanged),
  event("app", AppChanged),
  event("run", RunChanged),
  event("delivery", DeliveryChanged),
  event("end", Ended)
]).annotate({ identifier: "ServerSentEvent" })

export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("stream", "/v1/events", {
      query: {
        app_id: Schema.optionalKey(Id),
        kinds: Schema.optionalKey(token),
        last_event_id: Schema.optionalKey(Schema.String),
        seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: SECONDS_MOST })))
      },
      success: HttpApiSchema.StreamSse({ events: Events }),
      error: fails("ValidationError", "Restricted", "NotFound", "TooManyRequests")
    }).pipe(
      requires({ cost: costs.eventStream }),
      withSummary(
        "Stream what changes",
        "Server-sent events of `kinds` (`records`, `apps`, `runs`, `deliveries`, by commas; all that the credential reaches where none is named), of one app or of the organization: ids and what happened, within a second. Read what you show after a `ready` that is not `resumed`, and again after `reset`. Goes on behind `Last-Event-ID` for five minutes; ends after `seconds` (300 at most)."
      )
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Events", "What changes, as it changes, for pages and programs that show it.")) {}
