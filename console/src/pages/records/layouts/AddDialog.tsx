// A new record at a place of a layout: a form with the place's value in it.
import { useState } from "react"
import type { App, Field } from "../../../api/types.ts"
import { addDialog as texts } from "../../../texts/records/layouts.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { noteChange } from "../edits/changes.ts"
import { titleFieldOf } from "../grid/columns.ts"
import { type Preset, RecordForm } from "../RecordForm.tsx"

/** Fields of a form that shows some: the title's first, those that must be filled in last. */
export const formFields = (app: App, fields: ReadonlyArray<Field>, preset?: Preset): ReadonlyArray<Field> => {
  const title = titleFieldOf(app)
  const isNeeded = (field: Field) => field.config.required || preset?.has(field.field_id) === true
  const more = app.fields.filter((field) => isNeeded(field) && field !== title && !fields.includes(field))
  return [...(title === undefined ? [] : [title]), ...fields.filter((field) => field !== title), ...more]
}

interface AddDialogProps {
  readonly app: App
  readonly fields: ReadonlyArray<Field>
  readonly preset: Preset
  readonly close: () => void
}
export const AddDialog = ({ app, close, fields, preset }: AddDialogProps) => {
  const [shownFields] = useState(() => formFields(app, fields, preset))
  return (
    <Dialog title={texts.newItemName(app.item_name.toLowerCase())} close={close}>
      <RecordForm
        app={app}
        fields={shownFields}
        preset={preset}
        button={texts.add}
        onAdded={({ record_id }) => {
          noteChange(app.app_id, texts.addARecord, { created: [record_id] })
          close()
        }}
      />
    </Dialog>
  )
}
