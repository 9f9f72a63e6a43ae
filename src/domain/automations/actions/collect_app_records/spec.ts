// Action `collect_app_records` (service.md 2.7): collects an app's records that match; at most 1000 at run time, whatever `limit` says.
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { flag, unset, withDefault } from "../../schema/combinators.ts"
import { Limit, matchCondition } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const collect_app_records = action({
  type: "collect_app_records",
  label: "Collect records of an app",
  scopes: ["records:read"],
  description:
    "Collects the records of an app that match a condition; a condition whose value is empty is left out, so that every record matches it",
  produces: "record_collection",
  needs: [{ key: "app_id", code: "action_app_missing" }],
  config: {
    app_id: unset(Id),
    match_condition: matchCondition,
    limit: Limit.pipe(withDefault(1)),
    limit_enabled: flag(false, "`limit` holds only when true")
  }
})
