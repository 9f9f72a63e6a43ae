// The form of one field of a record that is there: it writes over the value that was seen, and asks where somebody else changed it meanwhile.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useRef, useState } from "react"
import type { Cell, Field, RecordRow } from "../../../api/types.ts"
import { fieldForm as texts } from "../../../texts/records/editors.ts"
import { Failure } from "../../../ui/states.tsx"
import { useUnsavedText } from "../../../ui/unsavedText.ts"
import { fieldLabels } from "../fieldLabels.ts"
import { recordChanged } from "../recordQueries.ts"
import { BothValues } from "../writes/BothValues.tsx"
import { entriesOfField } from "../writes/CellWrite.ts"
import { sendWrite } from "../writes/sendWrite.ts"
import type { Editor } from "./editor.ts"
import { FieldControl } from "./FieldControl.tsx"
import { useFirstFocus } from "./useFirstFocus.ts"

interface FieldFormProps {
  readonly record: RecordRow
  readonly field: Field
  readonly cell: Cell | undefined
  readonly editor: Editor
  readonly done: () => void
  /** Is told of the entries that were there, and of the record as it was saved. */
  readonly onSaved?: (before: ReadonlyArray<unknown>, saved: RecordRow) => void
}
export const FieldForm = ({ record, field, cell, editor, done, onSaved }: FieldFormProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useFirstFocus(form)
  const queries = useQueryClient()
  // Record as it was when the form was opened, whatever comes to the page meanwhile.
  const [first] = useState({ revision: record.revision, values: (cell?.values ?? []) as ReadonlyArray<unknown> })
  const [draft, setDraft] = useState(() => editor.draft(first.values, field))
  const finish = async () => {
    await recordChanged(queries, record)
    done()
  }
  const save = useMutation({
    mutationFn: (over: { readonly revision: number; readonly values: ReadonlyArray<unknown> }) =>
      sendWrite({
        field,
        recordId: record.record_id,
        revision: over.revision,
        before: over.values,
        input: editor.input(draft, over.values),
        ...(editor.shown !== undefined && { shown: editor.shown(draft, field) })
      }),
    onSuccess: (outcome, over) => {
      if (outcome.kind !== "saved") return undefined
      if (outcome.record !== undefined) onSaved?.(over.values, outcome.record)
      return finish()
    }
  })
  useUnsavedText(!save.isPending && JSON.stringify(draft) !== JSON.stringify(editor.draft(first.values, field)))
  const conflict = save.data?.kind === "conflict" ? save.data : undefined
  const theirs = conflict && {
    revision: conflict.record.revision,
    values: entriesOfField(conflict.record, field)
  }
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(first)
      }}
      onKeyDown={(event) => event.key === "Escape" && done()}
    >
      <FieldControl id={id} field={field} editor={editor} draft={draft} onChange={setDraft} unseen />
      {save.isError && <Failure what={texts.itWasNotSaved} error={save.error} labels={fieldLabels([field])} />}
      {conflict === undefined || theirs === undefined ? (
        <div className="buttons">
          <button type="submit" className="small" disabled={save.isPending || editor.isBusy?.(draft) === true}>
            {texts.save}
          </button>
          <button type="button" className="quiet small" onClick={done}>
            {texts.cancel}
          </button>
        </div>
      ) : (
        <div className="note warn" role="alert">
          <BothValues
            by={conflict.by}
            place={field.label}
            field={field}
            theirs={theirs.values}
            yours={editor.shown?.(draft, field)}
          />
          <div className="buttons">
            <button type="button" className="quiet small" onClick={() => void finish()}>
              {texts.keepTheirs}
            </button>
            <button type="button" className="small" disabled={save.isPending} onClick={() => save.mutate(theirs)}>
              {texts.saveMine}
            </button>
          </div>
        </div>
      )}
    </form>
  )
}
