// Automations over HTTP (developer-api.md 7.3): their definitions, states, revisions. Bodies are decoded by
// input/automationBodies.ts, whose answers name path, allowed values and the nearest token.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { TAG_LENGTH } from "../../domain/automations/input/automationTags.ts"
import * as Common from "../../platform/primitives/commonSchemas.ts"
import { tagged } from "../middleware/answerHeaders.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { ifMatch } from "../middleware/ifMatch.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"
import {
  body,
  Change,
  ImportBody,
  Imported,
  Made,
  One,
  Page,
  PortableFile,
  Revision,
  Status,
  TagList,
  TriggerBody,
  UpcomingInstants,
  Validity
} from "./definitionAnswers.ts"

const automation_id = { automation_id: Common.Id }
const automationGuard = { kind: "automation", level: 5, hide: true } as const
const into = { kind: "app", level: 5, hide: true } as const
const read = { scope: "automations:read", guard: automationGuard } as const
const edit = { scope: "automations:edit", guard: automationGuard } as const
const list = { scope: "automations:read", cost: costs.lists, unguarded: "filtered" } as const

const limit = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 100 }))
const pageQuery = {
  limit: Schema.optionalKey(limit),
  cursor: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Status),
  name: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(200)).annotate({
      description: "A part of the name; case does not count"
    })
  ),
  tag: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(TAG_LENGTH)).annotate({
      description: "A tag that they have; case does not count"
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
  }).pipe(requires(list), withSummary(summary, description))

export class AutomationsApi extends HttpApiGroup.make("automations")
  .add(
    HttpApiEndpoint.post("create", "/v1/automation/app/:app_id", {
      params: { app_id: Common.Id },
      payload: body("AutomationCreate"),
      success: Made,
      error: fails("ValidationError", "InputInvalid", "NotFound")
    }).pipe(
      requires({ scope: "automations:edit", guard: into }),
      tagged,
      withSummary(
        "Create an automation",
        "Makes an automation of an app from trigger, filter and actions; it fires once it is activated. Whoever saves it is its owner: it acts with their rights."
      )
    ),
    page(
      "listApp",
      "/v1/automation/app/:app_id",
      { app_id: Common.Id },
      "List automations of an app",
      "In pages, by ascending id."
    ),
    page(
      "listWorkspace",
      "/v1/automation/workspace/:workspace_id",
      { workspace_id: Common.Id },
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
    HttpApiEndpoint.get("listTags", "/v1/automation/tag", { success: TagList }).pipe(
      requires(list),
      withSummary(
        "List tags of automations",
        "Those of the automations that the caller may see, the most used first; at most 1000."
      )
    ),
    HttpApiEndpoint.get("get", "/v1/automation/:automation_id", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(
      requires(read),
      tagged,
      withSummary("Get an automation", "The automation with its present definition and state.")
    ),
    HttpApiEndpoint.put("update", "/v1/automation/:automation_id", {
      params: automation_id,
      payload: body("AutomationUpdate"),
      success: One,
      error: fails("ValidationError", "InputInvalid", "NotFound", "Conflict")
    }).pipe(
      requires(edit),
      ifMatch("version"),
      tagged,
      withSummary(
        "Change an automation",
        "Changes what is sent and writes a revision; tags alone write none. Who saves trigger, filter or actions becomes the owner."
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
      tagged,
      withSummary("Change the trigger", "Replaces the trigger and writes a revision.")
    ),
    HttpApiEndpoint.post("activate", "/v1/automation/:automation_id/activate", {
      params: automation_id,
      success: One,
      error: fails("NotFound", "Conflict", "OwnerLost")
    }).pipe(
      requires(edit),
      tagged,
      withSummary(
        "Activate an automation",
        "It fires from now on. One that is broken answers 409 with what is wrong, part by part."
      )
    ),
    HttpApiEndpoint.post("pause", "/v1/automation/:automation_id/pause", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(
      requires(edit),
      tagged,
      withSummary("Pause an automation", "It fires no more; runs that are under way go on.")
    ),
    HttpApiEndpoint.delete("remove", "/v1/automation/:automation_id", {
      params: automation_id,
      success: One,
      error: fails("NotFound")
    }).pipe(
      requires(edit),
      withSummary("Delete an automation", "Its runs end and vanish with it, and so do its weblinks.")
    ),
    HttpApiEndpoint.post("duplicate", "/v1/automation/:automation_id/duplicate", {
      params: automation_id,
      payload: body("AutomationDuplicate"),
      success: Made,
      error: fails("ValidationError", "InputInvalid", "Restricted", "NotFound", "RecordNotFound")
    }).pipe(
      requires(edit),
      tagged,
      withSummary("Duplicate an automation", "Makes a draft like it, in another app if one is named.")
    ),
    HttpApiEndpoint.get("portable", "/v1/automation/:automation_id/portable", {
      params: automation_id,
      success: Schema.Struct({ file: PortableFile }),
      error: fails("NotFound")
    }).pipe(
      requires({ ...read, cost: costs.exports, recorded: true }),
      withSummary(
        "Export an automation",
        "Its definition with names instead of ids and references as short templates, for another organization. What the caller does not see stays an id."
      )
    ),
    HttpApiEndpoint.post("import", "/v1/automation/portable", {
      payload: ImportBody,
      success: Imported,
      error: fails("ValidationError", "InputInvalid", "Restricted", "NotFound", "RecordNotFound", "Conflict")
    }).pipe(
      requires({ scope: "automations:edit", unguarded: "named in the body" }),
      withSummary(
        "Import an automation",
        "Makes the automation of an exported file, or changes the one that the file has made before. What is missing is told at once, and nothing is changed."
      )
    ),
    HttpApiEndpoint.get("validate", "/v1/automation/:automation_id/validate", {
      params: automation_id,
      success: Validity,
      error: fails("NotFound", "OwnerLost")
    }).pipe(
      requires(read),
      withSummary("Validate an automation", "What keeps it from running, and what is probably not meant.")
    ),
    HttpApiEndpoint.post("previewSchedule", "/v1/automation/schedule/preview", {
      payload: body("SchedulePreview"),
      success: UpcomingInstants,
      error: fails("ValidationError", "InputInvalid")
    }).pipe(
      requires({ scope: "automations:read", unguarded: "filtered" }),
      withSummary(
        "Preview a schedule",
        "The next ten instants of a periodic trigger's config, as if it were activated now; nothing is saved."
      )
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
    }).pipe(requires(read), withSummary("List revisions of an automation", "Saved definitions, newest first.")),
    HttpApiEndpoint.get("revision", "/v1/automation/:automation_id/revision/:revision_id", {
      params: { ...automation_id, revision_id: Schema.String },
      success: Schema.Struct({ revision: Revision }),
      error: fails("NotFound")
    }).pipe(requires(read), withSummary("Get a revision of an automation", "One saved definition.")),
    HttpApiEndpoint.get("revisionDiff", "/v1/automation/:automation_id/revision/:from_id/diff/:to_id", {
      params: { ...automation_id, from_id: Schema.String, to_id: Schema.String },
      success: Schema.Struct({ differences: Schema.Array(Change) }),
      error: fails("NotFound")
    }).pipe(
      requires({ ...read, cost: costs.comparisons }),
      withSummary(
        "Compare two revisions",
        "What was added, removed, changed or moved; steps are known again by their ids."
      )
    ),
    HttpApiEndpoint.post("restore", "/v1/automation/:automation_id/revision/:revision_id/restore", {
      params: { ...automation_id, revision_id: Schema.String },
      success: One,
      error: fails("ValidationError", "InputInvalid", "NotFound", "Conflict")
    }).pipe(
      requires(edit),
      ifMatch("version"),
      tagged,
      withSummary("Restore a revision", "Makes a saved definition the present one, as a new revision.")
    )
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Automations", "Definitions of automations, their states and revisions.")) {}
