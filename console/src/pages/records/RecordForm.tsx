// A form of fields that makes a record, or several in a row without leaving it.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useId, useRef, useState } from "react"
import { client } from "../../api/client.ts"
import type { App, Field, FieldInput } from "../../api/types.ts"
import { recordForm as texts } from "../../texts/records/record.ts"
import { Failure } from "../../ui/states.tsx"
import { useUnsavedText } from "../../ui/unsavedText.ts"
import { editorOf } from "./editors/catalogue.ts"
import type { Editor } from "./editors/editor.ts"
import { FieldControl } from "./editors/FieldControl.tsx"
import { useFirstFocus } from "./editors/useFirstFocus.ts"
import { fieldLabels } from "./fieldLabels.ts"

/** Entries with which the form begins, by id of the field. */
export type Preset = ReadonlyMap<number, ReadonlyArray<unknown>>

type Drafts = Readonly<Record<string, unknown>>
type Added = Awaited<ReturnType<typeof client.records.create>>

const editable = (fields: ReadonlyArray<Field>): ReadonlyArray<readonly [Field, Editor]> =>
  fields.flatMap((field) => {
    const editor = field.config.always_hidden ? undefined : editorOf(field)
    return editor === undefined ? [] : [[field, editor] as const]
  })
const firstDrafts = (fields: ReadonlyArray<Field>, preset: Preset | undefined): Drafts =>
  Object.fromEntries(
    editable(fields).map(([field, editor]) => [
      field.external_id,
      editor.draft(preset?.get(field.field_id) ?? [], field)
    ])
  )

interface RecordFormProps {
  readonly app: App
  /** Fields that the form asks for, in their order. */
  readonly fields: ReadonlyArray<Field>
  readonly preset?: Preset
  /** Words of the button that saves. */
  readonly button: string
  /** Is told of the record that the button made. */
  readonly onAdded: (record: Added) => void
  /** Has a second button, which saves and begins anew. */
  readonly another?: boolean
}
export const RecordForm = ({ another = false, app, button, fields, onAdded, preset }: RecordFormProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const queries = useQueryClient()
  const [drafts, setDrafts] = useState(() => firstDrafts(fields, preset))
  /** Renewed for each record, that its controls begin anew. */
  const [turn, setTurn] = useState(0)
  const controls = editable(fields)
  const create = useMutation({
    mutationFn: async () => {
      const inputs = controls.flatMap(([field, editor]): Array<[string, FieldInput]> => {
        const input = editor.input(drafts[field.external_id], []) as FieldInput
        return input === null ? [] : [[field.external_id, input]]
      })
      const newRecord = await client.records.create({
        app_id: app.app_id,
        body: { fields: Object.fromEntries(inputs) }
      })
      await queries.invalidateQueries({ queryKey: ["records", app.app_id] })
      return newRecord
    }
  })
  const save = (isAnother: boolean) => {
    if (form.current?.reportValidity() !== true) return
    create.mutate(undefined, {
      onSuccess: (record) => {
        if (!isAnother) return onAdded(record)
        setDrafts(firstDrafts(fields, preset))
        setTurn(turn + 1)
      }
    })
  }
  useFirstFocus(form, turn)
  const [emptyDrafts] = useState(() => JSON.stringify(drafts))
  useUnsavedText(!create.isPending && JSON.stringify(drafts) !== emptyDrafts)
  const busy = create.isPending || controls.some(([{ external_id }, { isBusy }]) => isBusy?.(drafts[external_id]))
  const newRecord = create.data
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        save(false)
      }}
    >
      <div className="record-fields">
        {controls.map(([field, editor]) => (
          <FieldControl
            key={`${field.field_id}-${turn}`}
            id={`${id}-${field.field_id}`}
            field={field}
            editor={editor}
            draft={drafts[field.external_id]}
            onChange={(next) =>
              setDrafts((before) => ({
                ...before,
                [field.external_id]: typeof next === "function" ? next(before[field.external_id]) : next
              }))
            }
          />
        ))}
      </div>
      {create.isError && (
        <Failure what={texts.recordWasNotSaved} error={create.error} labels={fieldLabels(app.fields)} />
      )}
      <div className="buttons">
        <button type="submit" disabled={busy}>
          {button}
        </button>
        {another && (
          <button type="button" className="quiet" disabled={busy} onClick={() => save(true)}>
            {texts.buttonAndAddAnother(button)}
          </button>
        )}
      </div>
      {another && (
        <p role="status">
          {newRecord !== undefined &&
            !create.isPending &&
            texts.wasSaved(
              <Link to="/records/$recordId" params={{ recordId: String(newRecord.record_id) }}>
                {addedTitle(app, newRecord)}
              </Link>
            )}
        </p>
      )}
    </form>
  )
}

export const addedTitle = (app: App, record: Added) =>
  "title" in record && record.title !== "" ? record.title : `${app.item_name} ${record.app_record_id}`
