// Endpoints that start a run by hand, simulate an automation, and test a step of it (developer-api.md 7.3).
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { anything, map, sizes, token } from "../../../platform/bounds/sized.ts"
import * as Common from "../../../platform/primitives/commonSchemas.ts"
import { located } from "../../middleware/answerHeaders.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { requires } from "../../middleware/Requires.ts"
import { withSummary } from "../../middleware/summaries.ts"
import { Accepted } from "./runAnswers.ts"

const started = {
  params: { automation_id: Common.Id },
  success: Accepted,
  error: fails("ValidationError", "NotFound", "RecordNotFound", "Conflict", "OwnerLost")
} as const
const mayRun = requires({ scope: "automations:run", guard: { kind: "automation", level: 5, hide: true } })

const RunBody = Schema.Struct({
  record_id: Schema.optionalKey(Common.Id),
  webhook_payload: Schema.optionalKey(anything(sizes.payloadValues)),
  use_last_received_webhook_payload: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "AutomationRunCreate" })
const SimulateBody = Schema.Struct({
  ...RunBody.fields,
  pinned: Schema.optionalKey(
    map(anything(sizes.payloadValues), sizes.arguments).annotate({
      description:
        "Answers of outside steps by their ids: { status, headers?, data? } of HTTP requests, values by variable label of scripts, {} of mails"
    })
  ),
  revision_id: Schema.optionalKey(
    token.annotate({ description: "Simulates this revision's definition instead of the present one" })
  )
})
const StepTestBody = Schema.Struct({
  action_id: token,
  record_id: Schema.optionalKey(Common.Id),
  run_id: Schema.optionalKey(
    token.annotate({ description: "A run of the automation whose trigger data, variables and outputs the step finds" })
  ),
  real: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "The step takes effect, with the rights of who asks; otherwise it is dry" })
  )
})

export const manualRun = HttpApiEndpoint.post("manualRun", "/v1/automation/:automation_id/manual-run", {
  ...started,
  payload: RunBody
}).pipe(
  mayRun,
  located,
  withSummary("Run an automation", "Starts a run by hand, on a record or with a webhook payload.")
)

export const simulate = HttpApiEndpoint.post("simulate", "/v1/automation/:automation_id/simulate", {
  ...started,
  payload: SimulateBody
}).pipe(
  mayRun,
  located,
  withSummary(
    "Simulate an automation",
    "Runs it without any effect and answers what it would do; `pinned` gives answers of outside steps."
  )
)

export const testStep = HttpApiEndpoint.post("testStep", "/v1/automation/:automation_id/test-step", {
  ...started,
  payload: StepTestBody
}).pipe(
  mayRun,
  located,
  withSummary("Test a step", "Runs one step, dry unless `real` is true, with what an earlier run left.")
)
