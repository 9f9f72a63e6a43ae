// The form of one field of a record that is there: it writes what it was given over the revision that was seen.
import { isApiError } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useRef, useState } from "react"
import { client } from "../../../api/client.ts"
import type { Cell, Field, FieldInput, RecordRow } from "../../../api/types.ts"
import { Failure } from "../../../ui/states.tsx"
import { recordChanged } from "../recordQueries.ts"
import type { Editor } from "./editor.ts"
import { FieldControl } from "./FieldControl.tsx"
import { useFirstFocus } from "./useFirstFocus.ts"

interface FieldFormProps {
  readonly record: RecordRow
  readonly field: Field
  readonly cell: Cell | undefined
  readonly editor: Editor
  readonly done: () => void
}
export const FieldForm = ({ record, field, cell, editor, done }: FieldFormProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useFirstFocus(form)
  const queries = useQueryClient()
  const values = cell?.values ?? []
  const [draft, setDraft] = useState(() => editor.draft(values, field))
  const save = useMutation({
    mutationFn: () =>
      client.records.update(
        {
          record_id: record.record_id,
          body: { fields: { [field.external_id]: editor.input(draft, values) as FieldInput } }
        },
        { ifMatch: record.revision }
      ),
    onSuccess: async () => {
      await recordChanged(queries, record)
      done()
    }
  })
  const conflict = isApiError(save.error, "conflict_error")
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
      onKeyDown={(event) => event.key === "Escape" && done()}
    >
      <FieldControl id={id} field={field} editor={editor} draft={draft} onChange={setDraft} unseen />
      {save.isError && (
        <Failure
          what={
            conflict ? "Somebody has changed this record meanwhile: reload the page to see it." : "It was not saved."
          }
          error={save.error}
        />
      )}
      <div className="buttons">
        <button type="submit" className="small" disabled={save.isPending || editor.isBusy?.(draft) === true}>
          Save
        </button>
        <button type="button" className="quiet small" onClick={done}>
          Cancel
        </button>
      </div>
    </form>
  )
}
