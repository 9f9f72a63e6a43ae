// Batch writes of records: developer-api.md 4.2. At most 50, one transaction, five times the base cost (1.6).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { FieldInputsSchema, RecordInput, WriteAnswer } from "../../../domain/records/reading/recordSchemas.ts"
import { Flag, switchQuery } from "../../../domain/records/reading/sideEffectSwitches.ts"
import { isMaxNodes } from "../../../platform/bounds/Bounds.ts"
import { list, sizes } from "../../../platform/bounds/sized.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { costs } from "../../middleware/cost.ts"
import { DevApi } from "../../middleware/DevApi.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { prefers } from "../../middleware/prefer.ts"
import { requires } from "../../middleware/Requires.ts"
import { groupSummary, withSummary } from "../../middleware/summaries.ts"

const params = { app_id: Id }
const flag = Schema.optionalKey(Flag)
const writtenRecords = Schema.Struct({ records: Schema.Array(WriteAnswer) }).annotate({ identifier: "WrittenRecords" })
const onApp = {
  scope: "records:edit",
  cost: costs.recordBatches,
  guard: { kind: "app", level: 3 }
} as const

const create = HttpApiEndpoint.post("create", "/v1/record/app/batch/:app_id", {
  params,
  query: switchQuery,
  payload: Schema.Struct({
    inputs: list(RecordInput, sizes.batch).check(isMaxNodes(sizes.writeValues))
  }),
  success: writtenRecords,
  error: fails("ValidationError", "NotFound", "UniqueConflict")
}).pipe(
  requires(onApp),
  prefers,
  withSummary("Create several records", "At most 50 records in one transaction: all or none.")
)

const update = HttpApiEndpoint.put("update", "/v1/record/app/batch/:app_id", {
  params,
  query: { ...switchQuery, empty_response: flag },
  payload: Schema.Struct({
    inputs: list(
      Schema.Struct({ record_id: Id, fields: FieldInputsSchema, revision: Schema.optionalKey(Schema.Int) }),
      sizes.batch
    ).check(isMaxNodes(sizes.writeValues))
  }),
  success: Schema.Union([writtenRecords, Schema.Struct({})]),
  error: fails("ValidationError", "RecordDeleted", "NotFound", "RecordNotFound", "Conflict", "UniqueConflict")
}).pipe(
  requires(onApp),
  prefers,
  withSummary(
    "Update several records",
    "At most 50 records in one transaction: all or none. Where an input names a `revision`, its record must be at it, else 409 `conflict_error` names the input. `empty_response` answers an empty object."
  )
)

const ids = Schema.Struct({ record_ids: list(Id, sizes.ids) }).annotate({ identifier: "RecordIds" })
const remove = HttpApiEndpoint.post("remove", "/v1/record/app/batch/:app_id/delete", {
  params,
  query: { ...switchQuery, skip_trash: flag },
  payload: ids,
  success: ids,
  error: fails("ValidationError", "RecordDeleted", "NotFound", "RecordNotFound", "Conflict")
}).pipe(requires(onApp), withSummary("Delete several records", "At most 50 records in one transaction: all or none."))

const upserted = Schema.Struct({ record_id: Id, revision_id: Schema.Int, created: Schema.Boolean }).annotate({
  identifier: "UpsertResult"
})
const upsert = HttpApiEndpoint.post("upsert", "/v1/record/app/:app_id/upsert", {
  params,
  query: switchQuery,
  payload: Schema.Struct({
    match: list(Id, sizes.ids),
    records: list(RecordInput, sizes.batch).check(isMaxNodes(sizes.writeValues))
  }),
  success: Schema.Struct({ results: Schema.Array(upserted) }).annotate({ identifier: "UpsertResults" }),
  error: fails("ValidationError", "RecordDeleted", "NotFound", "RecordNotFound", "Conflict", "UniqueConflict")
}).pipe(
  requires(onApp),
  withSummary(
    "Create or update records",
    "Each of 1 to 50 records updates the one that has one of its values in the unique fields `match`, or is created where none has. One transaction: all or none."
  )
)

export class BatchApi extends HttpApiGroup.make("batch")
  .add(create, update, upsert, remove)
  .middleware(DevApi)
  .annotateMerge(groupSummary("Batches", "Up to 50 records in one transaction.")) {}
