// The filter tree of automations (service.md 2.7): conditions on what is in reach, groups of them, conditions in JavaScript.
import { useId } from "react"
import { filterBuilder as texts } from "../../../../texts/automations/editorForm.ts"
import type { FilterGroup, FilterRow } from "../model/definition.ts"
import { addRow, changeRow, emptyGroup, isGroup, isScript, removeRow } from "../model/filterTree.ts"
import { valueConditionOf } from "../model/valueConditions.ts"
import { Condition } from "./Condition.tsx"
import { rowAbout, useSubjects, ValueCondition } from "./ValueCondition.tsx"
import { ValueEditor } from "./ValueEditor.tsx"

interface FilterBuilderProps {
  readonly label: string
  readonly group: FilterGroup | null
  /** `null` where nothing is asked any more. */
  readonly onChange: (group: FilterGroup | null) => void
  readonly about: number | undefined
}

export const FilterBuilder = ({ group, label, onChange }: FilterBuilderProps) => (
  <Group
    label={label}
    group={group ?? emptyGroup}
    onChange={(next) => onChange(next.rows.length === 0 ? null : next)}
  />
)

interface GroupProps {
  readonly label: string
  readonly group: FilterGroup
  readonly onChange: (group: FilterGroup) => void
}
const Group = ({ group, label, onChange }: GroupProps) => {
  const id = useId()
  const [firstSubject] = useSubjects()
  const add = (row: FilterRow) => onChange(addRow(group, row))
  return (
    <div className="conditions">
      {group.rows.length > 1 && (
        <div className="field">
          <label htmlFor={id}>{texts.howManyMustHold}</label>
          <select
            id={id}
            value={group.operator}
            onChange={({ target }) => onChange({ ...group, operator: target.value as FilterGroup["operator"] })}
          >
            <option value="and">{texts.allOfThem}</option>
            <option value="or">{texts.oneOfThem}</option>
          </select>
        </div>
      )}
      {group.rows.map((row, at) => {
        const name = texts.conditionAt(at + 1)
        const replaceRow = (next: FilterRow) => onChange(changeRow(group, at, next))
        return (
          <fieldset className="list-entry" key={row.id ?? at} aria-label={name}>
            {isGroup(row) ? (
              <Group label={`${label}, ${name}`} group={row} onChange={replaceRow} />
            ) : isScript(row) && valueConditionOf(row) !== undefined ? (
              <ValueCondition row={row} condition={valueConditionOf(row)!} onChange={replaceRow} />
            ) : isScript(row) ? (
              <ValueEditor
                label={texts.inJavaScript(name)}
                language="javascript"
                value={row.code}
                onChange={(code) => replaceRow({ ...row, code })}
              />
            ) : (
              <Condition row={row} onChange={replaceRow} />
            )}
            <button
              type="button"
              className="quiet small"
              aria-label={texts.removeName(name.toLowerCase())}
              onClick={() => onChange(removeRow(group, at))}
            >
              {texts.remove}
            </button>
          </fieldset>
        )
      })}
      <div className="entry-tools">
        <button
          type="button"
          className="quiet small"
          disabled={firstSubject === undefined}
          onClick={() => firstSubject !== undefined && add(rowAbout(undefined, firstSubject.choice))}
        >
          {texts.addACondition}
        </button>
        <button type="button" className="quiet small" onClick={() => add(emptyGroup)}>
          {texts.addAGroup}
        </button>
        <button type="button" className="quiet small" onClick={() => add({ code: ["true"] })}>
          {texts.addAScript}
        </button>
      </div>
    </div>
  )
}
