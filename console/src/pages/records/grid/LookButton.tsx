// The columns and rows of a grid as its reader wants them: which fields it shows, and how high its rows are.
import { useId, useState } from "react"
import type { App } from "../../../api/types.ts"
import { lookButton as texts } from "../../../texts/records/grid.ts"
import { ChoiceOfMany } from "../../../ui/ChoiceOfMany.tsx"
import { Dialog } from "../../../ui/Dialog.tsx"
import { FieldIcon } from "../../../ui/FieldIcon.tsx"
import { columnsOf } from "./columns.ts"
import { isDated, isGroupable } from "./groups.ts"
import { type GroupUnit, groupUnits, type Look, orderedFields, plainLook, type RowHeight } from "./look.ts"

const heights: Readonly<Record<RowHeight, string>> = texts.heights

interface LookButtonProps {
  readonly app: App
  readonly look: Look
  readonly change: (look: Partial<Look>) => void
}
export const LookButton = ({ app, change, look }: LookButtonProps) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const fields = orderedFields(columnsOf(app), look)
  const groupField = app.fields.find(({ field_id }) => field_id === look.groupBy)
  const hiddenCount = fields.filter(({ field_id }) => look.hidden.includes(field_id)).length
  const toggle = (fieldId: number) =>
    change({
      hidden: look.hidden.includes(fieldId) ? look.hidden.filter((one) => one !== fieldId) : [...look.hidden, fieldId]
    })
  return (
    <>
      <button type="button" className="quiet small" onClick={() => setOpen(true)}>
        {hiddenCount === 0
          ? texts.columns
          : texts.columnsHiddenCountHidden(hiddenCount, <span className="further-words"> {texts.hidden}</span>)}
      </button>
      {isOpen && (
        <Dialog title={texts.columnsAndRows} close={() => setOpen(false)}>
          <div className="field">
            <label htmlFor={`${id}-height`}>{texts.rowHeight}</label>
            <select
              id={`${id}-height`}
              value={look.rowHeight}
              onChange={({ target }) => change({ rowHeight: target.value as RowHeight })}
            >
              {Object.entries(heights).map(([height, words]) => (
                <option key={height} value={height}>
                  {words}
                </option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor={`${id}-group`}>{texts.groupBy}</label>
            <ChoiceOfMany
              id={`${id}-group`}
              choices={app.fields.filter(isGroupable).map(({ field_id, label }) => [field_id, label])}
              value={look.groupBy}
              none={texts.none}
              onChange={(fieldId) => change({ groupBy: fieldId ?? null })}
            />
          </div>
          {groupField !== undefined && isDated(groupField) && (
            <div className="field">
              <label htmlFor={`${id}-unit`}>{texts.groupDatesBy}</label>
              <select
                id={`${id}-unit`}
                value={look.groupUnit}
                onChange={({ target }) => change({ groupUnit: target.value as GroupUnit })}
              >
                {Object.entries(groupUnits).map(([unit, words]) => (
                  <option key={unit} value={unit}>
                    {words}
                  </option>
                ))}
              </select>
            </div>
          )}
          <fieldset className="field bare">
            <legend>{texts.fields}</legend>
            <div className="some-of">
              {fields.map(({ field_id, field_type, label }) => (
                <div className="pick" key={field_id}>
                  <input
                    id={`${id}-${field_id}`}
                    type="checkbox"
                    checked={!look.hidden.includes(field_id)}
                    onChange={() => toggle(field_id)}
                  />
                  <label htmlFor={`${id}-${field_id}`}>
                    <FieldIcon type={field_type} /> {label}
                  </label>
                </div>
              ))}
            </div>
            <small>{texts.thisBrowserKeepsThemUntil}</small>
          </fieldset>
          <div className="buttons">
            <button type="button" className="quiet small" onClick={() => change({ hidden: [] })}>
              {texts.showAll}
            </button>
            <button type="button" className="quiet small" onClick={() => change(plainLook)}>
              {texts.reset}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
