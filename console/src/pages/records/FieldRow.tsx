// Shows a field of a record: its value, or a form while it is edited.
import { useRef, useState } from "react"
import type { Cell, Field, RecordRow } from "../../api/types.ts"
import { fieldRow as texts } from "../../texts/records/record.ts"
import { WholeValue } from "../../ui/values.tsx"
import { editorOf } from "./editors/catalogue.ts"
import { FieldForm } from "./editors/FieldForm.tsx"

interface FieldRowProps {
  readonly record: RecordRow
  readonly field: Field
  readonly cell: Cell | undefined
  /** True if nothing may be edited: the record is in the trash, or the reader may only view it. */
  readonly fixed: boolean
}
export const FieldRow = ({ record, field, cell, fixed }: FieldRowProps) => {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const editor = fixed ? undefined : editorOf(field)
  const closeEditor = () => {
    setOpen(false)
    // Back to where the keyboard was, once the button is there again.
    requestAnimationFrame(() => button.current?.focus())
  }
  return (
    <div className="field-row">
      <dt>{field.label}</dt>
      <dd>
        {open && editor !== undefined ? (
          <FieldForm record={record} field={field} cell={cell} editor={editor} done={closeEditor} />
        ) : (
          <div className="row">
            <div>
              <WholeValue cell={cell} field={field} />
            </div>
            {editor !== undefined && (
              <button
                ref={button}
                type="button"
                className="link"
                aria-label={texts.editLabel(field.label)}
                onClick={() => setOpen(true)}
              >
                {texts.edit}
              </button>
            )}
          </div>
        )}
      </dd>
    </div>
  )
}
