// Endpoint that makes a weblink, `POST /automation/weblink/generate`, and its old path (developer-api.md 7.10).
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import * as Common from "../../../platform/primitives/commonSchemas.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { requires } from "../../middleware/Requires.ts"
import { withSummary } from "../../middleware/summaries.ts"
import { callMembers } from "./triggerAutomation.ts"

const WeblinkBody = Schema.Struct({
  trigger_workflow_def_id: Common.Id,
  ...callMembers,
  expiration_type: Schema.optionalKey(Schema.Literals(["NEVER", "ONE_DAY", "ONE_WEEK", "ONE_MONTH", "ONE_YEAR"])),
  expire_after_first_click: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "WeblinkCreate" })
const Weblink = Schema.Struct({ trigger_token: Schema.String, trigger_client_url: Schema.String }).annotate({
  identifier: "Weblink",
  httpApiStatus: 201
})

const defineWeblink = <const N extends string, const P extends `/${string}`>(
  name: N,
  path: P,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.post(name, path, {
    payload: WeblinkBody,
    success: Weblink,
    error: fails("ValidationError")
  }).pipe(requires({ scope: "automations:run", unguarded: "named in the body" }), withSummary(summary, description))

export const weblink = defineWeblink(
  "weblink",
  "/v1/automation/weblink/generate",
  "Make a weblink",
  "A link that starts the automation for whoever opens it, until it expires."
)

export const weblinkDeprecated = defineWeblink(
  "weblinkDeprecated",
  "/v1/workflow/weblink/generate",
  "Make a weblink (old path)",
  "The same as `/v1/automation/weblink/generate`."
)
