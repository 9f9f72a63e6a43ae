// Schemas of a query for related records, and of a record that a relation field may point to (developer-api.md 4.2).
import { Schema } from "effect"
import { line, list, sizes } from "../../../platform/bounds/sized.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"

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

/** Maximum number of texts in one query, and of records shown for each: one is a clear match, two are not. */
export const matchSizes = { texts: 100, records: 3 } as const

export const MatchInput = Schema.Struct({ texts: list(line, matchSizes.texts) }).annotate({ identifier: "MatchInput" })

export const Matched = Schema.Struct({
  text: Schema.String,
  records: Schema.Array(ReferableRecord).annotate({ description: "At most three, newest first" })
}).annotate({ identifier: "MatchedRecords" })
