// Options of an import: about records that are there already, values that do not fit, and options that a field lacks.

import { useId } from "react"
import type { App } from "../../../api/types.ts"
import { importOptions as texts } from "../../../texts/records/csv.ts"
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
      <h2 id={`${id}-options`}>{texts.options}</h2>
      <div className="inline">
        <div className="field">
          <label htmlFor={`${id}-key`}>{texts.updateBy}</label>
          <ChoiceOfMany
            id={`${id}-key`}
            value={choices.updateBy}
            none={texts.nothingEachRow}
            choices={keys.map(({ field_id, label }) => [field_id, label])}
            onChange={(updateBy) => change({ ...choices, updateBy })}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-bad`}>{texts.valueThatDoesNotFit}</label>
          <select
            id={`${id}-bad`}
            value={choices.onBadCell}
            onChange={({ target }) => change({ ...choices, onBadCell: target.value as Choices["onBadCell"] })}
          >
            <option value="leave_empty">{texts.isLeftEmptyAndReported}</option>
            <option value="skip_row">{texts.leavesItsRowOut}</option>
          </select>
        </div>
      </div>
      {keys.length === 0 && <p className="muted">{texts.columnThatGoes}</p>}
      {app.permission_level >= 5 && missing.length > 0 && (
        <label htmlFor={`${id}-add`}>
          <input
            id={`${id}-add`}
            type="checkbox"
            checked={choices.addOptions}
            onChange={({ target }) => change({ ...choices, addOptions: target.checked })}
          />{" "}
          {texts.addMissingOptions(
            missing.slice(0, 5).join(", "),
            missing.length > 5 && texts.andCountMore(missing.length - 5)
          )}
        </label>
      )}
    </section>
  )
}
