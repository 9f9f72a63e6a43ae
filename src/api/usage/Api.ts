// Lists the uses of a field or an app, for the question before it is deleted, and an organization's use of its limits (decisions, "The
// console").
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { OrganizationUsage } from "../../domain/usage/organizationUsageSchema.ts"
import { AppUsage, FieldUsage } from "../../domain/usage/usageSchemas.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

const ofField = HttpApiEndpoint.get("ofField", "/v1/field/:field_id/usage", {
  params: { field_id: Id },
  success: FieldUsage,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "apps:read", cost: costs.usage, guard: { kind: "field", level: 5 } }),
  withSummary(
    "Get what uses a field",
    "How many records hold a value in it, and the views, automations and hooks that name it: what its removal would take with it or break."
  )
)

const ofApp = HttpApiEndpoint.get("ofApp", "/v1/app/:app_id/usage", {
  params: { app_id: Id },
  success: AppUsage,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "apps:read", cost: costs.usage, guard: { kind: "app", level: 5 } }),
  withSummary(
    "Get what uses an app",
    "How much goes with the app when it is deleted, and which automations and relation fields of other apps name it."
  )
)

const ofOrganization = HttpApiEndpoint.get("ofOrganization", "/v1/org/usage", {
  success: OrganizationUsage,
  error: fails("Restricted")
}).pipe(
  requires({ scope: "organization:read", cost: costs.usage }),
  withSummary(
    "Get what an organization uses",
    "Credits of automations by the hour, mails, files and how much there is of everything, beside the limits that hold. For owners and admins."
  )
)

export class UsageApi extends HttpApiGroup.make("usage")
  .add(ofField, ofApp, ofOrganization)
  .middleware(DevApi)
  .annotateMerge(
    groupSummary("Usage", "What uses a field or an app, before it is removed; what an organization uses of its shares.")
  ) {}
