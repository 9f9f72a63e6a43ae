// Endpoints of apps, single records and their revisions: developer-api.md 3.1, 4.2, 4.5.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { FieldConversion, FieldConvert } from "../../domain/conversion/conversionSchemas.ts"
import * as App from "../../domain/records/apps/appSchemas.ts"
import * as RecordSchemas from "../../domain/records/reading/recordSchemas.ts"
import { Flag, switchQuery } from "../../domain/records/reading/sideEffectSwitches.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { tagged } from "../middleware/answerHeaders.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { ifMatch } from "../middleware/ifMatch.ts"
import { prefers } from "../middleware/prefer.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

const appId = { app_id: Id }
const recordId = { record_id: Id }
const onApp = (level: 1 | 3 | 5) => ({ kind: "app", level }) as const
const onRecord = (level: 1 | 3) => ({ kind: "record", level }) as const
const apps = Schema.Struct({ total: Schema.Int, apps: Schema.Array(App.AppListed) }).annotate({ identifier: "AppList" })

const list = HttpApiEndpoint.get("list", "/v1/app", { success: apps }).pipe(
  requires({ scope: "apps:read", unguarded: "filtered" }),
  withSummary("List apps", "All apps that the caller may see, without their fields.")
)

const listOfWorkspace = HttpApiEndpoint.get("listOfWorkspace", "/v1/app/workspace/:workspace_id", {
  params: { workspace_id: Id },
  success: apps
}).pipe(
  requires({ scope: "apps:read", guard: { kind: "workspace", level: 0 } }),
  withSummary("List apps of a workspace", "The apps of one workspace, without their fields.")
)

const get = HttpApiEndpoint.get("get", "/v1/app/:app_id", {
  params: appId,
  success: App.AppSeen,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "apps:read", guard: onApp(1) }),
  withSummary(
    "Get an app",
    "The app with its fields: the `external_id` of each is its key in records, `settings` holds options and relations."
  )
)

const create = HttpApiEndpoint.post("create", "/v1/app", {
  payload: App.AppCreate,
  success: App.AppView,
  error: fails("ValidationError", "Restricted", "NotFound", "RecordNotFound")
}).pipe(
  requires({ scope: "apps:edit", unguarded: "named in the body" }),
  withSummary("Create an app", "Makes an app with its fields in a workspace.")
)

const update = HttpApiEndpoint.put("update", "/v1/app/:app_id", {
  params: appId,
  payload: App.AppUpdate,
  success: App.AppView,
  error: fails("ValidationError", "NotFound", "UniqueConflict")
}).pipe(
  requires({ scope: "apps:edit", guard: onApp(5) }),
  withSummary(
    "Change an app",
    "Changes name, icons and fields, all or nothing. A field that is left out stays; `fields_to_delete` go with their values."
  )
)

const reorder = HttpApiEndpoint.put("reorder", "/v1/app/:app_id/fields/order", {
  params: appId,
  payload: App.FieldOrder,
  success: App.AppView,
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires({ scope: "apps:edit", guard: onApp(5) }),
  withSummary(
    "Order the fields",
    "Puts the fields that are named first, in their order; the others keep theirs behind them."
  )
)

const convertField = HttpApiEndpoint.post("convertField", "/v1/field/:field_id/convert", {
  params: { field_id: Id },
  payload: FieldConvert,
  success: FieldConversion,
  error: fails("ValidationError", "Restricted", "NotFound", "Conflict")
}).pipe(
  requires({ scope: "apps:edit", cost: costs.fieldConversion, guard: { kind: "field", level: 5 } }),
  withSummary(
    "Convert a field",
    "Gives it another type by a job; needs `records:read` too. With `dry_run` it tells what would become of the values. Names what uses the field."
  )
)

const remove = HttpApiEndpoint.delete("remove", "/v1/app/:app_id", {
  params: appId,
  success: App.AppView,
  error: fails("NotFound")
}).pipe(
  requires({ scope: "apps:edit", cost: costs.deletions, guard: onApp(5) }),
  withSummary("Delete an app", "Deletes it with its records, views, hooks and automations. This cannot be undone.")
)

export class AppsApi extends HttpApiGroup.make("apps")
  .add(list, listOfWorkspace, get, create, update, reorder, convertField, remove)
  .middleware(DevApi)
  .annotateMerge(groupSummary("Apps", "Apps and their fields: the shape of records.")) {}

const include_deleted = Schema.optionalKey(Flag)

const recordCreate = HttpApiEndpoint.post("create", "/v1/record/app/:app_id", {
  params: appId,
  query: switchQuery,
  payload: RecordSchemas.RecordInput,
  success: RecordSchemas.WriteAnswer,
  error: fails("ValidationError", "NotFound", "UniqueConflict")
}).pipe(
  requires({ scope: "records:edit", guard: onApp(3), profile: true }),
  tagged,
  prefers,
  withSummary(
    "Create a record",
    "Creates one record; `fields` is keyed by the `external_id` of each field. Hooks and automations of the app are told in the same transaction."
  )
)

const recordGet = HttpApiEndpoint.get("get", "/v1/record/:record_id", {
  params: recordId,
  query: { include_deleted, fields: RecordSchemas.fieldNames },
  success: RecordSchemas.Record,
  error: fails("ValidationError", "RecordDeleted", "RecordNotFound")
}).pipe(
  requires({ scope: "records:read", guard: onRecord(1) }),
  tagged,
  withSummary("Get a record", "The record with all its values as they are now.")
)

const recordUpdate = HttpApiEndpoint.put("update", "/v1/record/:record_id", {
  params: recordId,
  query: switchQuery,
  payload: RecordSchemas.RecordInput,
  success: RecordSchemas.WriteAnswer,
  error: fails(
    "ValidationError",
    "InputInvalid",
    "RecordDeleted",
    "NotFound",
    "RecordNotFound",
    "Conflict",
    "UniqueConflict"
  )
}).pipe(
  requires({ scope: "records:edit", guard: onRecord(3), profile: true }),
  ifMatch("revision"),
  tagged,
  prefers,
  withSummary(
    "Update a record",
    "Changes the fields that are sent and writes a revision; a value of null empties a field."
  )
)

const recordRemove = HttpApiEndpoint.delete("remove", "/v1/record/:record_id", {
  params: recordId,
  query: { ...switchQuery, skip_trash: Schema.optionalKey(Flag) },
  success: RecordSchemas.WriteAnswer,
  error: fails("InputInvalid", "RecordDeleted", "NotFound", "RecordNotFound", "Conflict")
}).pipe(
  requires({ scope: "records:edit", guard: onRecord(3), profile: true }),
  ifMatch("revision"),
  tagged,
  prefers,
  withSummary(
    "Delete a record",
    "Moves it to the trash, from where it can be restored for 30 days; with `skip_trash` it is gone at once."
  )
)

const recordRestore = HttpApiEndpoint.post("restore", "/v1/record/:record_id/restore", {
  params: recordId,
  query: switchQuery,
  success: RecordSchemas.WriteAnswer,
  error: fails(
    "ValidationError",
    "InputInvalid",
    "RecordDeleted",
    "NotFound",
    "RecordNotFound",
    "Conflict",
    "UniqueConflict"
  )
}).pipe(
  requires({ scope: "records:edit", guard: onRecord(3), profile: true }),
  ifMatch("revision"),
  tagged,
  prefers,
  withSummary("Restore a record", "Takes it out of the trash with all its values.")
)

const revisions = HttpApiEndpoint.get("revisions", "/v1/record/:record_id/revision", {
  params: recordId,
  query: { include_deleted },
  success: Schema.Struct({ total: Schema.Int, revisions: Schema.Array(RecordSchemas.Revision) }),
  error: fails("RecordDeleted", "NotFound", "RecordNotFound")
}).pipe(
  requires({ scope: "records:read", guard: onRecord(1) }),
  withSummary("List revisions", "Who changed the record when, oldest first.")
)

const revisionParams = { ...recordId, revision: RecordSchemas.RevisionNumber }

const revisionDelta = HttpApiEndpoint.get("revisionDelta", "/v1/record/:record_id/revision/previous/:revision", {
  params: revisionParams,
  success: RecordSchemas.RevisionDelta,
  error: fails("ValidationError", "RecordDeleted", "NotFound", "RecordNotFound")
}).pipe(
  requires({ scope: "records:read", guard: onRecord(1) }),
  withSummary("Get what a revision changed", "Each changed field with its value before and after.")
)

const revisionAt = HttpApiEndpoint.get("revisionAt", "/v1/record/:record_id/revision/:revision", {
  params: revisionParams,
  success: RecordSchemas.Record,
  error: fails("RecordDeleted", "NotFound", "RecordNotFound")
}).pipe(
  requires({ scope: "records:read", guard: onRecord(1) }),
  withSummary("Get a record as of a revision", "The record as it was when that revision had been written.")
)

export class RecordsApi extends HttpApiGroup.make("records")
  .add(recordCreate, recordGet, recordUpdate, recordRemove, recordRestore, revisions, revisionDelta, revisionAt)
  .middleware(DevApi)
  .annotateMerge(groupSummary("Records", "Single records and their revisions.")) {}
