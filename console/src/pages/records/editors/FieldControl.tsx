// A field with its label and its control, in forms of records.
import type { Dispatch, SetStateAction } from "react"
import type { Field } from "../../../api/types.ts"
import { fieldControl as texts } from "../../../texts/records/editors.ts"
import type { Editor } from "./editor.ts"

interface FieldControlProps {
  readonly id: string
  readonly field: Field
  readonly editor: Editor
  readonly draft: unknown
  readonly onChange: Dispatch<SetStateAction<any>>
  /** The label stands beside it already. */
  readonly unseen?: boolean
}
export const FieldControl = ({ id, field, editor, draft, onChange, unseen = false }: FieldControlProps) => {
  const { Control, group, hint } = editor
  const { description, required } = field.config
  const control = <Control id={id} field={field} draft={draft} onChange={onChange} />
  const label = (
    <>
      {field.label}
      {required && !unseen && <span className="muted"> {texts.required}</span>}
    </>
  )
  const more = (
    <>
      {description !== null && !unseen && <small>{description}</small>}
      {hint !== undefined && <small>{hint}</small>}
    </>
  )
  if (group === true)
    return (
      <fieldset className="field bare">
        <legend className={unseen ? "unseen" : undefined}>{label}</legend>
        {control}
        {more}
      </fieldset>
    )
  return (
    <div className="field">
      <label className={unseen ? "unseen" : undefined} htmlFor={id}>
        {label}
      </label>
      {control}
      {more}
    </div>
  )
}
