// Action `collect_app_view_records` (developer-api.md 7.6): collects what a view shows; its id is checked for presence only.
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { flag, unset, withDefault } from "../../schema/combinators.ts"
import { Limit } from "../shared/collectionConfig.ts"
import { action } from "../spec.ts"

export const collect_app_view_records = action({
  type: "collect_app_view_records",
  label: "Collect records of a view",
  scopes: ["records:read"],
  description: "Collects the records of a view, in its order",
  produces: "record_collection",
  needs: [
    { key: "app_id", code: "action_app_missing" },
    { key: "app_view_id", code: "action_view_missing" }
  ],
  config: {
    app_id: unset(Id),
    app_view_id: unset(Id),
    limit: Limit.pipe(withDefault(1)),
    limit_enabled: flag(false, "`limit` holds only when true")
  }
})
