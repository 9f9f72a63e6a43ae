// One field of a record: its value, and a form in its place while it is edited.
import { isApiError } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useRef, useState } from "react"
import { client } from "../../api/client.ts"
import type { Cell, Field, RecordRow } from "../../api/types.ts"
import { Failure } from "../../ui/states.tsx"
import { WholeValue } from "../../ui/values.tsx"
import { type Editing, editingOf, inputFrom, textOf } from "./editing.ts"
import { FieldControl } from "./FieldControl.tsx"

interface FieldFormProps {
  readonly record: RecordRow
  readonly field: Field
  readonly cell: Cell | undefined
  readonly editing: Editing
  readonly done: () => void
}
const FieldForm = ({ record, field, cell, editing, done }: FieldFormProps) => {
  const id = useId()
  const queries = useQueryClient()
  const [text, setText] = useState(() => textOf(editing, cell))
  const save = useMutation({
    mutationFn: () =>
      client.records.update(
        { record_id: record.record_id, body: { fields: { [field.external_id]: inputFrom(editing, text, cell) } } },
        { ifMatch: record.revision }
      ),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ["record", record.record_id] }),
        queries.invalidateQueries({ queryKey: ["records", record.app_id] })
      ])
      done()
    }
  })
  const conflict = isApiError(save.error, "conflict_error")
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
      onKeyDown={(event) => event.key === "Escape" && done()}
    >
      <label className="unseen" htmlFor={id}>
        {field.label}
      </label>
      <FieldControl id={id} field={field} editing={editing} value={text} onChange={setText} />
      {editing.hint !== undefined && <small>{editing.hint}</small>}
      {save.isError && (
        <Failure
          what={
            conflict ? "Somebody has changed this record meanwhile: reload the page to see it." : "It was not saved."
          }
          error={save.error}
        />
      )}
      <div className="buttons">
        <button type="submit" className="small" disabled={save.isPending}>
          Save
        </button>
        <button type="button" className="quiet small" onClick={done}>
          Cancel
        </button>
      </div>
    </form>
  )
}

interface FieldRowProps {
  readonly record: RecordRow
  readonly field: Field
  readonly cell: Cell | undefined
  /** Of a record in the trash nothing is edited. */
  readonly fixed: boolean
}
export const FieldRow = ({ record, field, cell, fixed }: FieldRowProps) => {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const editing = fixed ? undefined : editingOf(field)
  const done = () => {
    setOpen(false)
    // Back to where the keyboard was, once the button is there again.
    requestAnimationFrame(() => button.current?.focus())
  }
  return (
    <div className="field-row">
      <dt>{field.label}</dt>
      <dd>
        {open && editing !== undefined ? (
          <FieldForm record={record} field={field} cell={cell} editing={editing} done={done} />
        ) : (
          <div className="row">
            <div>
              <WholeValue cell={cell} field={field} />
            </div>
            {editing !== undefined && (
              <button
                ref={button}
                type="button"
                className="link"
                aria-label={`Edit ${field.label}`}
                onClick={() => setOpen(true)}
              >
                Edit
              </button>
            )}
          </div>
        )}
      </dd>
    </div>
  )
}
