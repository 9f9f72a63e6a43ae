// Values of a new record that is made in a grid: a status begins with the first one that does not mean done, as in the form.
import type { App, FieldInput } from "../../../api/types.ts"
import { editorOf } from "../editors/catalogue.ts"

type Inputs = Readonly<Record<string, unknown>>

/** The values with defaults, or the labels of required fields without a value. */
export const newRecordFields = (
  app: App,
  inputs: Inputs
): { readonly fields: Readonly<Record<string, FieldInput>> } | { readonly missing: string } => {
  const defaults = app.fields.flatMap((field) => {
    if (field.field_type !== "status" || inputs[field.external_id] !== undefined) return []
    const editor = editorOf(field)
    const input = editor?.input(editor.draft([], field), []) ?? null
    return input === null ? [] : [[field.external_id, input] as const]
  })
  const fields = { ...Object.fromEntries(defaults), ...inputs } as Record<string, FieldInput>
  const missing = app.fields.filter(
    (field) => field.config.required && editorOf(field) !== undefined && (fields[field.external_id] ?? null) === null
  )
  return missing.length === 0 ? { fields } : { missing: missing.map(({ label }) => label).join(", ") }
}
