// Action `record_create` (developer-api.md 7.6): creates a record of any app, or updates one by its unique fields
// (11.2), and publishes `created_record`.

import { list, sizes } from "../../../../platform/bounds/sized.ts"
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { unset } from "../../schema/combinators.ts"
import { assignments } from "../../schema/fieldAssignments.ts"
import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"
import { checkMatchFields } from "./matchFieldChecks.ts"

export const record_create = action({
  type: "record_create",
  label: "Create record",
  scopes: ["records:edit"],
  description: "Creates a record and offers it to later steps",
  produces: "created_record",
  needs: [{ key: "app_id", code: "action_app_missing" }],
  assigns: "app_id",
  check: checkMatchFields,
  config: {
    app_id: unset(Id),
    match_field_ids: unset(
      list(Id, sizes.ids).annotate({
        description: "Unique fields: the record that has one of the values is updated, and created only where none has"
      })
    ),
    ...assignments,
    ...mutation
  }
})
