// Shared fields of `automation_called` and `weblink_clicked` (developer-api.md 7.5): inputs, and the apps from which a triggering record
// may come. Each value holds only with its flag.
import { list, sizes } from "../../../platform/bounds/sized.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { flag, withDefault } from "../schema/combinators.ts"
import { CustomDefs } from "../schema/dynamicValues.ts"
import type { Finding, ValidationModel } from "../schema/ValidationModel.ts"

export const companionFlags = {
  triggering_app_ids: list(Id, sizes.ids)
    .annotate({ description: "Apps a triggering record may come from" })
    .pipe(withDefault([])),
  triggering_app_ids_enabled: flag(false),
  custom_variable_defs: CustomDefs,
  custom_variable_defs_enabled: flag(false)
}

interface CalledConfig {
  readonly triggering_app_ids: ReadonlyArray<number>
  readonly triggering_app_ids_enabled: boolean
}
export function* checkCalled(config: CalledConfig, model: ValidationModel): Iterable<Finding> {
  if (!config.triggering_app_ids_enabled) return
  for (const app_id of config.triggering_app_ids) {
    if (!model.apps.has(app_id)) {
      yield {
        code: "trigger_app_missing",
        message: `There is no app ${app_id} that a triggering record could come from.`,
        app_id
      }
    }
  }
}
