// Config keys of steps that make or take a record collection (developer-api.md 7.6).
import { Schema } from "effect"
import { list, sizes, token } from "../../../../platform/bounds/sized.ts"
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { unset, withDefault } from "../../schema/combinators.ts"
import { Reference } from "../../schema/dynamicValues.ts"
import { filterOrNull } from "../../schema/Filter.ts"

export const recordCollection = {
  record_collection: unset(Reference.annotate({ description: "Action-output reference to a record collection" }))
}

const RefCollectionDef = Schema.Struct({
  id: token.pipe(withDefault("")),
  direction: Schema.Literals(["outgoing", "incoming", "both"]),
  match_type: Schema.Literals(["all", "filtered"]),
  app_id: unset(Id),
  via_field_ids: unset(list(Id, sizes.ids)),
  match_condition: filterOrNull.pipe(withDefault<typeof filterOrNull>(null))
}).annotate({ identifier: "RefCollectionDef" })
export type RefCollectionDef = typeof RefCollectionDef.Type
export const refCollectionDefs = {
  ref_collection_defs: list(RefCollectionDef, sizes.definitionList).pipe(withDefault([]))
}

export const matchCondition = filterOrNull.pipe(withDefault<typeof filterOrNull>(null))

/** Limit of collect actions; a larger stored limit is kept and truncated at run time. */
export const Limit = Schema.Int.check(Schema.isGreaterThan(0))
