// The form of one field of several records: its value goes to all of them.
import { useId, useState } from "react"
import type { App, Field, RecordRow } from "../../../api/types.ts"
import { bulkEdit as texts } from "../../../texts/records/grid.ts"
import { ChoiceOfMany } from "../../../ui/ChoiceOfMany.tsx"
import { editorOf } from "../editors/catalogue.ts"
import { FieldControl } from "../editors/FieldControl.tsx"
import { changeCells } from "../edits/changes.ts"
import { columnsOf, titleFieldOf } from "./columns.ts"

interface BulkEditProps {
  readonly app: App
  readonly records: ReadonlyArray<RecordRow>
  readonly done: () => void
}

const editableFields = (app: App): ReadonlyArray<Field> =>
  [titleFieldOf(app), ...columnsOf(app)].flatMap((field) =>
    field === undefined || editorOf(field) === undefined ? [] : [field]
  )

export const BulkEdit = ({ app, done, records }: BulkEditProps) => {
  const id = useId()
  const fields = editableFields(app)
  const [field, setField] = useState(fields[0])
  const editor = field && editorOf(field)
  const [draft, setDraft] = useState<unknown>(() => field && editor?.draft([], field))
  if (field === undefined || editor === undefined) return <p>{texts.thereIsNoField}</p>
  const choose = (fieldId: number) => {
    const next = fields.find(({ field_id }) => field_id === fieldId)
    setField(next)
    setDraft(next && editorOf(next)?.draft([], next))
  }
  const save = () => {
    const input = editor.input(draft, [])
    const shownEntries = editor.shown?.(draft, field)
    changeCells(
      app.app_id,
      texts.edit,
      records.map((record) => ({ record, field, input, shown: shownEntries }))
    )
    done()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="field">
        <label htmlFor={id}>{texts.field}</label>
        <ChoiceOfMany
          id={id}
          value={field.field_id}
          required
          choices={fields.map(({ field_id, label }) => [field_id, label])}
          onChange={(fieldId) => fieldId !== undefined && choose(fieldId)}
        />
      </div>
      <FieldControl
        key={field.field_id}
        id={`${id}-value`}
        field={{ ...field, label: texts.newValue }}
        editor={editor}
        draft={draft}
        onChange={setDraft}
      />
      <button type="submit" disabled={editor.isBusy?.(draft) === true}>
        {texts.save}
      </button>
    </form>
  )
}
