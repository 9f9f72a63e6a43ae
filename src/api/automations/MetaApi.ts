// Endpoints that describe the parts of automations, for those who build them (developer-api.md 7.12).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { withReleaseEtag } from "../middleware/releaseEtags.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

// Served from memory as it was made (domain/automations/meta/typeCatalogue.ts), for an hour.
const JsonSchema = Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "JSON Schema 2020-12" })
const head = { label: Schema.String, description: Schema.String }
const ActionCatalogue = Schema.Struct({
  actions: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      group: Schema.Literals(["action", "control_flow"]),
      ...head,
      config_schema: JsonSchema
    })
  ),
  retry: Schema.Struct({ types: Schema.Array(Schema.String), schema: JsonSchema })
}).annotate({ identifier: "ActionCatalogue" })
const TriggerCatalogue = Schema.Struct({
  triggers: Schema.Array(Schema.Struct({ type: Schema.String, ...head, config_schema: JsonSchema }))
}).annotate({ identifier: "TriggerCatalogue" })
const FilterCatalogue = Schema.Struct({
  field_type: Schema.String,
  operators: Schema.Array(Schema.Struct({ operator: Schema.String, ...head, value_arity: Schema.String }))
}).annotate({ identifier: "FilterCatalogue" })
const Name = Schema.Struct({
  name: Schema.String,
  where: Schema.String,
  type: Schema.String,
  description: Schema.String
})
const Limits = Schema.Record(Schema.String, Schema.Finite).annotate({ identifier: "ScriptLimits" })
const ScriptCatalogue = Schema.Struct({
  names: Schema.Array(Name),
  types: Schema.Array(Schema.String),
  libraries: Schema.Array(Schema.Struct({ package: Schema.String, version: Schema.String })),
  unavailable: Schema.Array(Schema.String),
  limits: Schema.Struct({ expression: Limits, custom_code: Limits })
}).annotate({
  identifier: "ScriptCatalogue",
  description: "What scripts find. As TypeScript: /v1/automation/script.d.ts"
})

export class AutomationMetaApi extends HttpApiGroup.make("automationMeta")
  .add(
    HttpApiEndpoint.get("actions", "/v1/automation/meta/action", { success: ActionCatalogue }).pipe(
      withReleaseEtag,
      withSummary("List action types", "Every action with the schema of its config.")
    ),
    HttpApiEndpoint.get("triggers", "/v1/automation/meta/trigger", { success: TriggerCatalogue }).pipe(
      withReleaseEtag,
      withSummary("List trigger types", "Every trigger with the schema of its config.")
    ),
    HttpApiEndpoint.get("script", "/v1/automation/meta/script", {
      success: ScriptCatalogue
    }).pipe(
      withReleaseEtag,
      withSummary(
        "Describe the script environment",
        "What scripts find: names with type and description, libraries, limits."
      )
    ),
    HttpApiEndpoint.get("filter", "/v1/automation/meta/filter", {
      query: { field_type: Schema.optionalKey(Schema.String) },
      success: FilterCatalogue,
      error: fails("ValidationError")
    }).pipe(
      withReleaseEtag,
      withSummary("List filter conditions", "Which conditions a field type offers to filters of automations.")
    )
  )
  .middleware(DevApi)
  .annotateMerge(
    groupSummary("Automation catalogue", "What automations are made of: triggers, actions, filters, scripts.")
  ) {}
