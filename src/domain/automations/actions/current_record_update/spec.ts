// Action `current_record_update` (service.md 2.7): assigns fields of the current record.
import { fieldTypes } from "../../../records/fields/registry.ts"
import { assignments } from "../../schema/fieldAssignments.ts"
import { mutation } from "../shared/mutationConfig.ts"
import { action } from "../spec.ts"

export const current_record_update = action({
  type: "current_record_update",
  label: "Update current record",
  scopes: ["records:edit"],
  description: "Assigns fields of the current record",
  requires: "record",
  assigns: "current",
  onlyChanges: ({ field_assignments }) =>
    field_assignments.every(
      ({ assignment_type, field_type }) => assignment_type === "set" && fieldTypes[field_type].kind !== "number"
    ),
  config: { ...assignments, ...mutation }
})
