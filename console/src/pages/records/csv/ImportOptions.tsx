// What an import does with records that are there already, with values that do not fit, and with options that a field lacks.

import { useId } from "react"
import type { App } from "../../../api/types.ts"
import { ChoiceOfMany } from "../../../ui/ChoiceOfMany.tsx"
import { type Choices, keyFields, type Preview } from "./importChoices.ts"

interface ImportOptionsProps {
  readonly app: App
  readonly preview: Preview
  readonly choices: Choices
  readonly change: (choices: Choices) => void
}
export const ImportOptions = ({ app, change, choices, preview }: ImportOptionsProps) => {
  const id = useId()
  const keys = keyFields(app, preview, choices)
  const missing = preview.columns.flatMap(({ missing_options }) => missing_options)
  return (
    <section className="card" aria-labelledby={`${id}-options`}>
      <h2 id={`${id}-options`}>Options</h2>
      <div className="inline">
        <div className="field">
          <label htmlFor={`${id}-key`}>Update by</label>
          <ChoiceOfMany
            id={`${id}-key`}
            value={choices.updateBy}
            none="Nothing: each row is a new record"
            choices={keys.map(({ field_id, label }) => [field_id, label])}
            onChange={(updateBy) => change({ ...choices, updateBy })}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-bad`}>A value that does not fit</label>
          <select
            id={`${id}-bad`}
            value={choices.onBadCell}
            onChange={({ target }) => change({ ...choices, onBadCell: target.value as Choices["onBadCell"] })}
          >
            <option value="leave_empty">is left empty and reported</option>
            <option value="skip_row">leaves its row out</option>
          </select>
        </div>
      </div>
      {keys.length === 0 && (
        <p className="muted">A column that goes to a unique field can update the records that have its values.</p>
      )}
      {app.permission_level >= 5 && missing.length > 0 && (
        <label htmlFor={`${id}-add`}>
          <input
            id={`${id}-add`}
            type="checkbox"
            checked={choices.addOptions}
            onChange={({ target }) => change({ ...choices, addOptions: target.checked })}
          />{" "}
          Add missing options: {missing.slice(0, 5).join(", ")}
          {missing.length > 5 && ` and ${missing.length - 5} more`}
        </label>
      )}
    </section>
  )
}
