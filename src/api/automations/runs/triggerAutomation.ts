// Endpoint that calls an automation, `POST /automation/{id}/trigger`, and its old path (developer-api.md 7.8).
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { anything, map, sizes } from "../../../platform/bounds/sized.ts"
import * as Common from "../../../platform/primitives/commonSchemas.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { requires } from "../../middleware/Requires.ts"
import { withSummary } from "../../middleware/summaries.ts"
import { Nothing } from "./runAnswers.ts"

/** Members of a call, whether it is made at once or by a weblink. */
export const callMembers = {
  trigger_on_record_id: Common.Id,
  triggered_by_record_id: Schema.optionalKey(Common.Id),
  triggered_by_workflow_def_id: Schema.optionalKey(Common.Id),
  trigger_with_arguments: Schema.optionalKey(map(anything(sizes.payloadValues), sizes.arguments)),
  is_manual_run: Schema.optionalKey(Schema.Boolean),
  is_simulation: Schema.optionalKey(Schema.Boolean)
}
const CallBody = Schema.Struct(callMembers).annotate({ identifier: "AutomationCall" })

const defineCall = <const N extends string, const P extends `/${string}`>(
  name: N,
  path: P,
  summary: string,
  description: string
) =>
  // Problems with what the body names are a 400 here, not a 404: the service checks them (7.8).
  HttpApiEndpoint.post(name, path, {
    params: { automation_id: Common.Id },
    payload: CallBody,
    success: Nothing,
    error: fails("ValidationError")
  }).pipe(requires({ scope: "automations:run", unguarded: "named in the body" }), withSummary(summary, description))

export const call = defineCall(
  "call",
  "/v1/automation/:automation_id/trigger",
  "Call an automation",
  "Starts a run of an automation with the trigger *called*, on a record, with arguments."
)

export const callDeprecated = defineCall(
  "callDeprecated",
  "/v1/workflow/:automation_id/trigger",
  "Call an automation (old path)",
  "The same as `/v1/automation/{automation_id}/trigger`."
)
