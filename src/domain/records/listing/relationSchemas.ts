// What related records are asked by, and a record that a relation field may point to, as sent and read (developer-api.md 4.2).
import { Schema } from "effect"
import { list, sizes } from "../../../ground/bounds/sized.ts"
import { Id } from "../../accounts/accountSchemas.ts"

export const RelatedInput = Schema.Struct({
  recordIds: list(Id, sizes.ids),
  direction: Schema.Literals(["forward", "reverse", "both"]),
  relationFieldIds: Schema.optionalKey(list(Id, sizes.ids))
}).annotate({ identifier: "RelatedInput" })

export const ReferableRecord = Schema.Struct({
  record_id: Schema.Int,
  app_record_id: Schema.Int,
  app_id: Schema.Int,
  title: Schema.String,
  record_url: Schema.String,
  app: Schema.Struct({ app_id: Schema.Int, name: Schema.String, record_name: Schema.String, workspace_id: Schema.Int })
}).annotate({ identifier: "RecordPreview" })
