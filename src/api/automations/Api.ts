// Automations over HTTP (developer-api.md 7.3): their definitions, states, revisions and the meta catalogue. Bodies are decoded by
// input/decode.ts, whose answers name path, allowed values and the nearest token.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Views from "../../domain/accounts/accountSchemas.ts"
import { statuses } from "../../domain/automations/definitions/StoredAutomation.ts"
import { whenFull } from "../../domain/automations/schema/RunSettings.ts"
import { anything, sizes } from "../../ground/bounds/sized.ts"
import { DevApi } from "../door/DevApi.ts"
import { requires } from "../door/Requires.ts"
import { fails } from "../door/wire.ts"

const Automation = Schema.Struct({
  id: Schema.Int,
  app_id: Schema.Int,
  workspace_id: Schema.Int,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  status: Schema.Literals(statuses),
  paused: Schema.Boolean,
  broken: Schema.Boolean,
  broken_reason: Schema.NullOr(Schema.Struct({ errors: Schema.Array(Schema.Unknown) })),
  version: Schema.Int,
  timezone: Schema.String,
  on_failure_automation_id: Schema.optionalKey(
    Schema.Int.annotate({ description: "The automation that is called when a run fails; absent when unset" })
  ),
  concurrency: Schema.optionalKey(
    Schema.Struct({ at_most: Schema.Int, per_record: Schema.Boolean, when_full: Schema.Literals(whenFull) })
  ),
  debounce_ms: Schema.optionalKey(Schema.Int),
  owner_id: Schema.Int,
  trigger: Schema.Unknown,
  filter: Schema.Unknown,
  actions: Schema.Array(Schema.Unknown),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "Automation" })
const Revision = Schema.Struct({
  id: Schema.String,
  automation_id: Schema.Int,
  created_at: Schema.String,
  name: Schema.String,
  paused: Schema.Boolean,
  broken: Schema.Boolean,
  trigger: Schema.Unknown,
  filter: Schema.Unknown,
  actions: Schema.Array(Schema.Unknown)
}).annotate({ identifier: "AutomationRevision" })

const Change = Schema.Struct({
  path: Schema.String.annotate({ description: "Where it is in the second revision; in the first if it is removed" }),
  kind: Schema.Literals(["added", "removed", "changed", "moved"]),
  action_id: Schema.optionalKey(Schema.String),
  before: Schema.optionalKey(Schema.Unknown),
  after: Schema.optionalKey(Schema.Unknown)
}).annotate({
  identifier: "AutomationRevisionChange",
  description: "Steps are known again by their ids; of what moved, `before` and `after` are its paths"
})
const Validity = Schema.Struct({
  valid: Schema.Boolean,
  errors: Schema.Array(Schema.Unknown),
  warnings: Schema.optionalKey(
    Schema.Array(Schema.Unknown).annotate({
      description: "What is probably not meant, in the shape of errors; absent when there is nothing, never decisive"
    })
  )
})
const One = Schema.Struct({ automation: Automation })
const Made = One.annotate({ httpApiStatus: 201 })
const Page = Schema.Struct({
  total: Schema.Int,
  cursor: Schema.NullOr(Schema.String),
  automations: Schema.Array(Automation)
})

const Body = anything(2 * sizes.definitionValues).annotate({
  description:
    "Its JSON Schema is at /v1/automation/schema.json; the meta endpoints hold the config of each trigger and action"
})
const automation_id = { automation_id: Views.Id }
const of = { kind: "automation", level: 5, hide: true } as const
const into = { kind: "app", level: 5, hide: true } as const
const read = { scope: "automations:read", guard: of } as const
const edit = { scope: "automations:edit", guard: of } as const
const list = { scope: "automations:read", cost: 2, unguarded: "filtered" } as const

const limit = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 100 }))
const pageQuery = {
  limit: Schema.optionalKey(limit),
  cursor: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Literals(statuses))
}
const page = <const N extends string, const P extends `/${string}`, S extends Schema.Struct.Fields>(
  name: N,
  path: P,
  params: S
) =>
  HttpApiEndpoint.get(name, path, {
    params,
    query: pageQuery,
    success: Page,
    error: fails("ValidationError")
  }).pipe(requires(list))

export class AutomationsApi extends HttpApiGroup.make("automations")
  .add(
    HttpApiEndpoint.post("create", "/v1/automation/app/:app_id", {
      params: { app_id: Views.Id },
      payload: Body,
      success: Made,
      error: fails("ValidationError", "InputInvalid", "NotFound")
    }).pipe(requires({ scope: "automations:edit", guard: into })),
    page("listApp", "/v1/automation/app/:app_id", { app_id: Views.Id }),
    page("listWorkspace", "/v1/automation/workspace/:workspace_id", { workspace_id: Views.Id }),
    page("listOrg", "/v1/automation/org", {}),
    HttpApiEndpoint.get("get", "/v1/automation/:automation_id", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(requires(read)),
    HttpApiEndpoint.put("update", "/v1/automation/:automation_id", {
      params: automation_id,
      payload: Body,
      success: One,
      error: fails("ValidationError", "InputInvalid", "NotFound", "Conflict")
    }).pipe(requires(edit)),
    HttpApiEndpoint.put("setTrigger", "/v1/automation/:automation_id/trigger", {
      params: automation_id,
      payload: Body,
      success: One,
      error: fails("ValidationError", "InputInvalid", "NotFound", "Conflict")
    }).pipe(requires(edit)),
    HttpApiEndpoint.post("activate", "/v1/automation/:automation_id/activate", {
      params: automation_id,
      success: One,
      error: fails("NotFound", "Conflict")
    }).pipe(requires(edit)),
    HttpApiEndpoint.post("pause", "/v1/automation/:automation_id/pause", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(requires(edit)),
    HttpApiEndpoint.delete("remove", "/v1/automation/:automation_id", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(requires(edit)),
    HttpApiEndpoint.post("duplicate", "/v1/automation/:automation_id/duplicate", {
      params: automation_id,
      payload: Body,
      success: Made,
      error: fails("ValidationError", "InputInvalid", "Restricted", "NotFound", "RecordNotFound")
    }).pipe(requires(edit)),
    HttpApiEndpoint.get("validate", "/v1/automation/:automation_id/validate", {
      params: automation_id,
      success: Validity,
      error: fails("NotFound")
    }).pipe(requires(read)),
    HttpApiEndpoint.get("revisions", "/v1/automation/:automation_id/revision", {
      params: automation_id,
      success: Schema.Struct({ revisions: Schema.Array(Revision) })
    }).pipe(requires(read)),
    HttpApiEndpoint.get("revision", "/v1/automation/:automation_id/revision/:revision_id", {
      params: { ...automation_id, revision_id: Schema.String },
      success: Schema.Struct({ revision: Revision }),
      error: fails("NotFound")
    }).pipe(requires(read)),
    HttpApiEndpoint.get("revisionDiff", "/v1/automation/:automation_id/revision/:from_id/diff/:to_id", {
      params: { ...automation_id, from_id: Schema.String, to_id: Schema.String },
      success: Schema.Struct({ differences: Schema.Array(Change) }),
      error: fails("NotFound")
    }).pipe(requires({ ...read, cost: 2 })),
    HttpApiEndpoint.post("restore", "/v1/automation/:automation_id/revision/:revision_id/restore", {
      params: { ...automation_id, revision_id: Schema.String },
      success: One,
      error: fails("ValidationError", "InputInvalid", "NotFound", "Conflict")
    }).pipe(requires(edit))
  )
  .middleware(DevApi) {}

const Catalogue = Schema.Unknown.annotate({ description: "Served from memory with an ETag; cacheable for an hour" })

export class AutomationMetaApi extends HttpApiGroup.make("automationMeta")
  .add(
    HttpApiEndpoint.get("actions", "/v1/automation/meta/action", { success: Catalogue }),
    HttpApiEndpoint.get("triggers", "/v1/automation/meta/trigger", { success: Catalogue }),
    HttpApiEndpoint.get("script", "/v1/automation/meta/script", {
      success: Schema.Unknown.annotate({
        description:
          "What scripts find: names with where, type and description, libraries, limits. As TypeScript: /v1/automation/script.d.ts"
      })
    }),
    HttpApiEndpoint.get("filter", "/v1/automation/meta/filter", {
      query: { field_type: Schema.optionalKey(Schema.String) },
      success: Catalogue,
      error: fails("ValidationError")
    })
  )
  .middleware(DevApi) {}
