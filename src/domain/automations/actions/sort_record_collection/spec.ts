// Action `sort_record_collection` (developer-api.md 7.6): stable, earlier keys first; a key must be collection-scoped.
import { Schema } from "effect"
import { list, sizes, token } from "../../../../platform/bounds/sized.ts"
import { withDefault } from "../../schema/combinators.ts"
import { Reference } from "../../schema/dynamicValues.ts"
import { recordCollection } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const sort_record_collection = action({
  type: "sort_record_collection",
  label: "Sort collection",
  scopes: ["records:read"],
  description: "Sorts the collected records",
  consumes: "collection",
  *check(config) {
    for (const { id, variable_def: key } of config.sorts) {
      const scoped = (key.source === "field" || key.source === "meta") && key.collection === true
      if (!scoped) {
        const message = "A sort key is a field or metadata reference with `collection: true`."
        yield { code: "action_variable_missing", message, ...(id === "" ? {} : { block_id: id }) }
      }
    }
  },
  config: { ...recordCollection, sorts: list(Sort(), sizes.definitionList).pipe(withDefault([])) }
})

function Sort() {
  return Schema.Struct({
    id: token.pipe(withDefault("")),
    variable_def: Reference,
    direction: Schema.Literals(["asc", "desc"])
  })
}
