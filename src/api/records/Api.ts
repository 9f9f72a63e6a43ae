// Endpoints of apps, single records and their revisions: developer-api.md 3.1, 4.2, 4.5.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Id } from "../../domain/accounts/accountSchemas.ts"
import * as App from "../../domain/records/apps/appSchemas.ts"
import * as RecordSchemas from "../../domain/records/reading/recordSchemas.ts"
import { DevApi } from "../door/DevApi.ts"
import { requires } from "../door/Requires.ts"
import { fails } from "../door/wire.ts"

const appId = { app_id: Id }
const recordId = { record_id: Id }
const onApp = (level: 1 | 3 | 5) => ({ kind: "app", level }) as const
const onRecord = (level: 1 | 3) => ({ kind: "record", level }) as const
const apps = Schema.Struct({ total: Schema.Int, apps: Schema.Array(App.AppListed) })

const list = HttpApiEndpoint.get("list", "/v1/app", { success: apps }).pipe(
  requires({ scope: "apps:read", unguarded: "filtered" })
)

const listOfWorkspace = HttpApiEndpoint.get("listOfWorkspace", "/v1/app/workspace/:workspace_id", {
  params: { workspace_id: Id },
  success: apps
}).pipe(requires({ scope: "apps:read", guard: { kind: "workspace", level: 0 } }))

const get = HttpApiEndpoint.get("get", "/v1/app/:app_id", {
  params: appId,
  success: App.AppView,
  error: fails("NotFound")
}).pipe(requires({ scope: "apps:read", guard: onApp(1) }))

const create = HttpApiEndpoint.post("create", "/v1/app", {
  payload: App.AppCreate,
  success: App.AppView,
  error: fails("ValidationError", "Restricted", "NotFound", "RecordNotFound")
}).pipe(requires({ scope: "apps:edit", unguarded: "named in the body" }))

const update = HttpApiEndpoint.put("update", "/v1/app/:app_id", {
  params: appId,
  payload: App.AppUpdate,
  success: App.AppView,
  error: fails("ValidationError", "NotFound")
}).pipe(requires({ scope: "apps:edit", guard: onApp(5) }))

const reorder = HttpApiEndpoint.put("reorder", "/v1/app/:app_id/fields/order", {
  params: appId,
  payload: App.FieldOrder,
  success: App.AppView,
  error: fails("ValidationError", "NotFound")
}).pipe(requires({ scope: "apps:edit", guard: onApp(5) }))

const remove = HttpApiEndpoint.delete("remove", "/v1/app/:app_id", {
  params: appId,
  success: App.AppView,
  error: fails("NotFound")
}).pipe(requires({ scope: "apps:edit", cost: 5, guard: onApp(5) }))

export class AppsApi extends HttpApiGroup.make("apps")
  .add(list, listOfWorkspace, get, create, update, reorder, remove)
  .middleware(DevApi) {}

const include_deleted = Schema.optionalKey(RecordSchemas.Flag)

const recordCreate = HttpApiEndpoint.post("create", "/v1/record/app/:app_id", {
  params: appId,
  query: RecordSchemas.switchQuery,
  payload: RecordSchemas.RecordInput,
  success: RecordSchemas.WriteAnswer,
  error: fails("ValidationError", "NotFound")
}).pipe(requires({ scope: "records:edit", guard: onApp(3) }))

const recordGet = HttpApiEndpoint.get("get", "/v1/record/:record_id", {
  params: recordId,
  query: { include_deleted },
  success: RecordSchemas.Record,
  error: fails("RecordDeleted", "RecordNotFound")
}).pipe(requires({ scope: "records:read", guard: onRecord(1) }))

const recordUpdate = HttpApiEndpoint.put("update", "/v1/record/:record_id", {
  params: recordId,
  query: RecordSchemas.switchQuery,
  payload: RecordSchemas.RecordInput,
  success: RecordSchemas.WriteAnswer,
  error: fails("ValidationError", "InputInvalid", "RecordDeleted", "NotFound", "RecordNotFound", "Conflict")
}).pipe(requires({ scope: "records:edit", guard: onRecord(3) }))

const recordRemove = HttpApiEndpoint.delete("remove", "/v1/record/:record_id", {
  params: recordId,
  query: { ...RecordSchemas.switchQuery, skip_trash: Schema.optionalKey(RecordSchemas.Flag) },
  success: RecordSchemas.WriteAnswer,
  error: fails("InputInvalid", "RecordDeleted", "NotFound", "RecordNotFound", "Conflict")
}).pipe(requires({ scope: "records:edit", guard: onRecord(3) }))

const recordRestore = HttpApiEndpoint.post("restore", "/v1/record/:record_id/restore", {
  params: recordId,
  query: RecordSchemas.switchQuery,
  success: RecordSchemas.WriteAnswer,
  error: fails("ValidationError", "InputInvalid", "RecordDeleted", "NotFound", "RecordNotFound", "Conflict")
}).pipe(requires({ scope: "records:edit", guard: onRecord(3) }))

const revisions = HttpApiEndpoint.get("revisions", "/v1/record/:record_id/revision", {
  params: recordId,
  query: { include_deleted },
  success: Schema.Struct({ total: Schema.Int, revisions: Schema.Array(RecordSchemas.Revision) }),
  error: fails("RecordDeleted", "NotFound", "RecordNotFound")
}).pipe(requires({ scope: "records:read", guard: onRecord(1) }))

const revisionParams = { ...recordId, revision: RecordSchemas.RevisionNumber }

const revisionDelta = HttpApiEndpoint.get("revisionDelta", "/v1/record/:record_id/revision/previous/:revision", {
  params: revisionParams,
  success: RecordSchemas.RevisionDelta,
  error: fails("ValidationError", "RecordDeleted", "NotFound", "RecordNotFound")
}).pipe(requires({ scope: "records:read", guard: onRecord(1) }))

const revisionAt = HttpApiEndpoint.get("revisionAt", "/v1/record/:record_id/revision/:revision", {
  params: revisionParams,
  success: RecordSchemas.Record,
  error: fails("RecordDeleted", "NotFound", "RecordNotFound")
}).pipe(requires({ scope: "records:read", guard: onRecord(1) }))

export class RecordsApi extends HttpApiGroup.make("records")
  .add(recordCreate, recordGet, recordUpdate, recordRemove, recordRestore, revisions, revisionDelta, revisionAt)
  .middleware(DevApi) {}
