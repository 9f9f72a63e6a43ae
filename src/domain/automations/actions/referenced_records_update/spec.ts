// Action `referenced_records_update` (service.md 2.7, developer-api.md 7.7 rule 2): assigns fields of the records related to the current one.

import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { unset } from "../../schema/combinators.ts"
import { assignments } from "../../schema/fieldAssignments.ts"
import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const referenced_records_update = action({
  type: "referenced_records_update",
  label: "Update referenced records",
  scopes: ["records:edit"],
  description: "Assigns fields of the records related to the current record",
  assigns: "app_id",
  *check({ app_id }, { model }) {
    if (app_id !== undefined && model.apps.has(app_id) && !model.edge_app_ids.has(app_id)) {
      const message = `App ${app_id} is not related to app ${model.app_id} by a relation field.`
      yield { code: "action_app_invalid", message, app_id }
    }
  },
  config: { app_id: unset(Id), ...assignments, ...mutation }
})
