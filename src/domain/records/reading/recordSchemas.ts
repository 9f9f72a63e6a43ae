// The shapes of records and revisions on the wire, as endpoints give and take them (developer-api.md 4.1, 4.5).
import { Schema } from "effect"
import { isMaxNodes } from "../../../platform/bounds/Bounds.ts"
import { json, map, sizes } from "../../../platform/bounds/sized.ts"
import { AuthorView } from "../../accounts/accountSchemas.ts"

const text = Schema.NullOr(Schema.String)

/** Fields that an answer shows (./chosenFields.ts). */
export const fieldNames = Schema.optionalKey(Schema.String)

// Values are read and written by the types of their fields (fields/types). These schemas do not describe them; the API description inserts
// the schemas of the types (src/api/description/fieldShapes.ts).

export const fieldInputs =
  "By `external_id` of the field, or its `field_id` as text; each as the type of the field takes it. `null` empties a field, one that is left out stays"
export const FieldInputsSchema = map(json(sizes.fieldValues), sizes.fields)
  .check(isMaxNodes(sizes.writeValues))
  .annotate({ identifier: "FieldInputs" })
export const RecordInput = Schema.Struct({ fields: FieldInputsSchema }).annotate({ identifier: "RecordInput" })

/** Members that identify the field of a value. */
export const fieldHead = {
  field_id: Schema.Int,
  external_id: Schema.String,
  label: Schema.String,
  type: Schema.String,
  field_type: Schema.String
}
const values = Schema.Array(Schema.Unknown)

export const CalculationError = Schema.Struct({
  field_id: Schema.Int,
  external_id: Schema.String,
  message: Schema.String
}).annotate({ identifier: "CalculationError" })

export const Record = Schema.Struct({
  record_id: Schema.Int,
  app_record_id: Schema.Int,
  app_id: Schema.Int,
  title: Schema.String,
  record_url: Schema.String,
  revision: Schema.Int,
  created_on: Schema.String,
  last_modified_on: text,
  deleted_on: text,
  comment_count: Schema.Int,
  created_by: AuthorView,
  last_modified_by: Schema.NullOr(AuthorView),
  app: Schema.Struct({
    app_id: Schema.Int,
    name: Schema.String,
    record_name: Schema.String,
    workspace_id: Schema.Int,
    icon: text
  }),
  fields: Schema.Array(Schema.Struct({ ...fieldHead, values }).annotate({ identifier: "RecordField" })),
  calculation_errors: Schema.optionalKey(
    Schema.Array(CalculationError).annotate({
      description: "Of a single record: why calculations of it have no result; left out if all have one"
    })
  )
}).annotate({ identifier: "AppRecord" })

/** Answer to a write by a credential without `records:read` (developer-api.md 2.4). */
const RecordStub = Schema.Struct({
  record_id: Schema.Int,
  app_record_id: Schema.Int,
  created_on: Schema.String
}).annotate({ identifier: "RecordStub" })

export const WriteAnswer = Schema.Union([Record, RecordStub]).annotate({ identifier: "WrittenRecord" })

export const Revision = Schema.Struct({
  revision: Schema.Int,
  type: Schema.String,
  created_on: Schema.String,
  created_by: AuthorView
}).annotate({ identifier: "Revision" })

/** Members about the field, in addition to its values. */
export const fieldChange = {
  config: Schema.Struct({ label: Schema.String, required: Schema.Boolean, description: text }).annotate({
    identifier: "FieldChangeConfig"
  })
}

export const RevisionDelta = Schema.Struct({
  record_id: Schema.Int,
  from_revision_id: Schema.Int,
  to_revision_id: Schema.Int,
  revision_deltas: Schema.Array(
    Schema.Struct({ ...fieldHead, from: values, to: values, ...fieldChange }).annotate({ identifier: "FieldChange" })
  )
}).annotate({ identifier: "RevisionDelta" })

export const RevisionNumber = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))
