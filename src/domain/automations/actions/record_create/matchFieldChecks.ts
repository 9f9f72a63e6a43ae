// Checks the unique fields by which `record_create` finds the record to update (developer-api.md 11.2).
import type { DefinitionScope } from "../../schema/DefinitionScope.ts"
import type { Finding } from "../../schema/ValidationModel.ts"

interface Matched {
  readonly app_id?: number
  readonly match_field_ids?: ReadonlyArray<number>
}

export function* checkMatchFields(
  { app_id, match_field_ids = [] }: Matched,
  { model }: DefinitionScope
): Iterable<Finding> {
  for (const field_id of new Set(match_field_ids)) {
    const field = model.fields.get(field_id)
    if (field === undefined) {
      yield { code: "action_variable_missing", message: `There is no field ${field_id}.`, field_id }
    } else if (app_id !== undefined && field.app_id !== app_id) {
      const message = `Field ${field_id}, ${JSON.stringify(field.label)}, belongs to app ${field.app_id}, and the record is one of app ${app_id}.`
      yield { code: "action_variable_missing", message, field_id }
    } else if (!field.is_unique) {
      const message = `Field ${field_id}, ${JSON.stringify(field.label)}, is not unique: set its \`unique\`, or leave it out of \`match_field_ids\`.`
      yield { code: "action_invalid", message, field_id }
    }
  }
}
