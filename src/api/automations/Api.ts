// Automations over HTTP (developer-api.md 7.3): their definitions, states, revisions and the meta catalogue. Bodies are decoded by
// input/decode.ts, whose answers name path, allowed values and the nearest token.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Views from "../../domain/accounts/accountSchemas.ts"
import { statuses } from "../../domain/automations/definitions/StoredAutomation.ts"
import { whenFull } from "../../domain/automations/schema/RunSettings.ts"
import { anything, map, sizes } from "../../ground/bounds/sized.ts"
import { cached } from "../door/cached.ts"
import { DevApi } from "../door/DevApi.ts"
import { ifMatch } from "../door/ifMatch.ts"
import { requires } from "../door/Requires.ts"
import { room, told } from "../door/told.ts"
import { fails } from "../door/wire.ts"

// Bodies and parts of definitions are looked at by the domain; the description shows their schemas in these places
// (../description/automationShapes.ts).
const part = (name: string) => Schema.Unknown.annotate({ identifier: name })
const Trigger = Schema.NullOr(part("Trigger"))
const Filter = Schema.NullOr(part("FilterGroup"))
const Actions = Schema.Array(part("Action"))
const body = (name: string) => anything(2 * sizes.definitionValues).annotate({ identifier: name })
const TriggerBody = body("Trigger")

const BrokenReasons = Schema.Array(part("BrokenReason"))

const Status = Schema.Literals(statuses).annotate({ identifier: "AutomationStatus" })
const Automation = Schema.Struct({
  id: Schema.Int,
  app_id: Schema.Int,
  workspace_id: Schema.Int,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  status: Status,
  paused: Schema.Boolean,
  broken: Schema.Boolean,
  broken_reason: Schema.NullOr(Schema.Struct({ errors: BrokenReasons })),
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
  trigger: Trigger,
  filter: Filter,
  actions: Actions,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "Automation" })
const Revision = Schema.Struct({
  id: Schema.String,
  automation_id: Schema.Int,
  version: Schema.Int,
  created_at: Schema.String,
  author: Schema.optionalKey(
    Schema.Struct({ user_id: Schema.Int, name: Schema.String }).annotate({
      description: "Who saved it, with whose rights its runs work"
    })
  ),
  name: Schema.String,
  paused: Schema.Boolean,
  broken: Schema.Boolean,
  trigger: Trigger,
  filter: Filter,
  actions: Actions
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
  errors: BrokenReasons,
  warnings: Schema.optionalKey(
    BrokenReasons.annotate({
      description: "What is probably not meant, in the shape of errors; absent when there is nothing, never decisive"
    })
  )
})
const One = Schema.Struct({ automation: Automation }).annotate({ identifier: "AutomationAnswer" })
const Made = One.annotate({ httpApiStatus: 201 })
const Page = Schema.Struct({
  total: Schema.Int,
  cursor: Schema.NullOr(Schema.String),
  automations: Schema.Array(Automation)
}).annotate({ identifier: "AutomationPage" })

const PortableFile = map(anything(2 * sizes.definitionValues), sizes.arguments).annotate({
  identifier: "PortableAutomation",
  description: "`portable: 1`, a `key` that makes it one automation, `app`, and the members of a definition"
})
const ImportBody = Schema.Struct({
  file: PortableFile,
  app_id: Schema.optionalKey(
    Views.Id.annotate({ description: "Into this app instead of the one that the file names" })
  ),
  dry_run: Schema.optionalKey(Schema.Boolean.annotate({ description: "Only tells what would be done, or is missing" }))
}).annotate({ identifier: "AutomationImport" })
const Imported = Schema.Struct({
  applied: Schema.Boolean,
  automation_id: Schema.NullOr(Schema.Int).annotate({
    description: "The automation that the file means; null where it has made none yet"
  }),
  app_id: Schema.NullOr(Schema.Int),
  missing: Schema.Array(Schema.String).annotate({
    description: "Of a dry run: what the organization lacks, or the caller does not see, with its place in the file"
  }),
  changes: Schema.Array(Schema.String).annotate({ description: "By place: `+` added, `-` removed, `~` changed" })
}).annotate({ identifier: "AutomationImported" })
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
  status: Schema.optionalKey(Status),
  name: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(200)).annotate({
      description: "A part of the name; case does not count"
    })
  )
}
const page = <const N extends string, const P extends `/${string}`, S extends Schema.Struct.Fields>(
  name: N,
  path: P,
  params: S,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.get(name, path, {
    params,
    query: pageQuery,
    success: Page,
    error: fails("ValidationError")
  }).pipe(requires(list), told(summary, description))

export class AutomationsApi extends HttpApiGroup.make("automations")
  .add(
    HttpApiEndpoint.post("create", "/v1/automation/app/:app_id", {
      params: { app_id: Views.Id },
      payload: body("AutomationCreate"),
      success: Made,
      error: fails("ValidationError", "InputInvalid", "NotFound")
    }).pipe(
      requires({ scope: "automations:edit", guard: into }),
      told(
        "Create an automation",
        "Makes an automation of an app from trigger, filter and actions; it fires once it is activated. Whoever saves it is its owner: it acts with their rights."
      )
    ),
    page(
      "listApp",
      "/v1/automation/app/:app_id",
      { app_id: Views.Id },
      "List automations of an app",
      "In pages, by ascending id."
    ),
    page(
      "listWorkspace",
      "/v1/automation/workspace/:workspace_id",
      { workspace_id: Views.Id },
      "List automations of a workspace",
      "In pages, by ascending id."
    ),
    page(
      "listOrg",
      "/v1/automation/org",
      {},
      "List automations of the organization",
      "In pages, by ascending id; those that the caller may see."
    ),
    HttpApiEndpoint.get("get", "/v1/automation/:automation_id", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(requires(read), told("Get an automation", "The automation with its present definition and state.")),
    HttpApiEndpoint.put("update", "/v1/automation/:automation_id", {
      params: automation_id,
      payload: body("AutomationUpdate"),
      success: One,
      error: fails("ValidationError", "InputInvalid", "NotFound", "Conflict")
    }).pipe(
      requires(edit),
      ifMatch("version"),
      told(
        "Change an automation",
        "Changes what is sent and writes a revision. Who saves trigger, filter or actions becomes the owner."
      )
    ),
    HttpApiEndpoint.put("setTrigger", "/v1/automation/:automation_id/trigger", {
      params: automation_id,
      payload: TriggerBody,
      success: One,
      error: fails("ValidationError", "InputInvalid", "NotFound", "Conflict")
    }).pipe(
      requires(edit),
      ifMatch("version"),
      told("Change the trigger", "Replaces the trigger and writes a revision.")
    ),
    HttpApiEndpoint.post("activate", "/v1/automation/:automation_id/activate", {
      params: automation_id,
      success: One,
      error: fails("NotFound", "Conflict")
    }).pipe(
      requires(edit),
      told(
        "Activate an automation",
        "It fires from now on. One that is broken answers 409 with what is wrong, part by part."
      )
    ),
    HttpApiEndpoint.post("pause", "/v1/automation/:automation_id/pause", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(requires(edit), told("Pause an automation", "It fires no more; runs that are under way go on.")),
    HttpApiEndpoint.delete("remove", "/v1/automation/:automation_id", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(requires(edit), told("Delete an automation", "Its runs end and vanish with it, and so do its weblinks.")),
    HttpApiEndpoint.post("duplicate", "/v1/automation/:automation_id/duplicate", {
      params: automation_id,
      payload: body("AutomationDuplicate"),
      success: Made,
      error: fails("ValidationError", "InputInvalid", "Restricted", "NotFound", "RecordNotFound")
    }).pipe(requires(edit), told("Duplicate an automation", "Makes a draft like it, in another app if one is named.")),
    HttpApiEndpoint.get("portable", "/v1/automation/:automation_id/portable", {
      params: automation_id,
      success: Schema.Struct({ file: PortableFile }),
      error: fails("NotFound")
    }).pipe(
      requires({ ...read, cost: 2 }),
      told(
        "Export an automation",
        "Its definition with names instead of ids, for another organization. What the caller does not see stays an id."
      )
    ),
    HttpApiEndpoint.post("import", "/v1/automation/portable", {
      payload: ImportBody,
      success: Imported,
      error: fails("ValidationError", "InputInvalid", "Restricted", "NotFound", "RecordNotFound", "Conflict")
    }).pipe(
      requires({ scope: "automations:edit", unguarded: "named in the body" }),
      told(
        "Import an automation",
        "Makes the automation of an exported file, or changes the one that the file has made before. What is missing is told at once, and nothing is changed."
      )
    ),
    HttpApiEndpoint.get("validate", "/v1/automation/:automation_id/validate", {
      params: automation_id,
      success: Validity,
      error: fails("NotFound")
    }).pipe(
      requires(read),
      told("Validate an automation", "What keeps it from running, and what is probably not meant.")
    ),
    HttpApiEndpoint.get("revisions", "/v1/automation/:automation_id/revision", {
      params: automation_id,
      query: {
        limit: Schema.optionalKey(limit),
        before_version: Schema.optionalKey(
          Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }))
        )
      },
      success: Schema.Struct({ revisions: Schema.Array(Revision) }),
      error: fails("ValidationError")
    }).pipe(requires(read), told("List revisions of an automation", "Saved definitions, newest first.")),
    HttpApiEndpoint.get("revision", "/v1/automation/:automation_id/revision/:revision_id", {
      params: { ...automation_id, revision_id: Schema.String },
      success: Schema.Struct({ revision: Revision }),
      error: fails("NotFound")
    }).pipe(requires(read), told("Get a revision of an automation", "One saved definition.")),
    HttpApiEndpoint.get("revisionDiff", "/v1/automation/:automation_id/revision/:from_id/diff/:to_id", {
      params: { ...automation_id, from_id: Schema.String, to_id: Schema.String },
      success: Schema.Struct({ differences: Schema.Array(Change) }),
      error: fails("NotFound")
    }).pipe(
      requires({ ...read, cost: 2 }),
      told("Compare two revisions", "What was added, removed, changed or moved; steps are known again by their ids.")
    ),
    HttpApiEndpoint.post("restore", "/v1/automation/:automation_id/revision/:revision_id/restore", {
      params: { ...automation_id, revision_id: Schema.String },
      success: One,
      error: fails("ValidationError", "InputInvalid", "NotFound", "Conflict")
    }).pipe(
      requires(edit),
      ifMatch("version"),
      told("Restore a revision", "Makes a saved definition the present one, as a new revision.")
    )
  )
  .middleware(DevApi)
  .annotateMerge(room("Automations", "Definitions of automations, their states and revisions.")) {}

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
  types: Schema.Unknown,
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
      cached,
      told("List action types", "Every action with the schema of its config.")
    ),
    HttpApiEndpoint.get("triggers", "/v1/automation/meta/trigger", { success: TriggerCatalogue }).pipe(
      cached,
      told("List trigger types", "Every trigger with the schema of its config.")
    ),
    HttpApiEndpoint.get("script", "/v1/automation/meta/script", {
      success: ScriptCatalogue
    }).pipe(
      cached,
      told("Describe the script environment", "What scripts find: names with type and description, libraries, limits.")
    ),
    HttpApiEndpoint.get("filter", "/v1/automation/meta/filter", {
      query: { field_type: Schema.optionalKey(Schema.String) },
      success: FilterCatalogue,
      error: fails("ValidationError")
    }).pipe(cached, told("List filter conditions", "Which conditions a field type offers to filters of automations."))
  )
  .middleware(DevApi)
  .annotateMerge(room("Automation catalogue", "What automations are made of: triggers, actions, filters, scripts.")) {}
