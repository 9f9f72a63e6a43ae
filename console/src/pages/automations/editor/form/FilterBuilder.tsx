// The filter tree of automations (service.md 2.7): conditions on what is in reach, groups of them, conditions in JavaScript.
import { useId } from "react"
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
          <label htmlFor={id}>How many must hold</label>
          <select
            id={id}
            value={group.operator}
            onChange={({ target }) => onChange({ ...group, operator: target.value as FilterGroup["operator"] })}
          >
            <option value="and">All of them</option>
            <option value="or">One of them</option>
          </select>
        </div>
      )}
      {group.rows.map((row, at) => {
        const name = `Condition ${at + 1}`
        const replaceRow = (next: FilterRow) => onChange(changeRow(group, at, next))
        return (
          <fieldset className="list-entry" key={row.id ?? at} aria-label={name}>
            {isGroup(row) ? (
              <Group label={`${label}, ${name}`} group={row} onChange={replaceRow} />
            ) : isScript(row) && valueConditionOf(row) !== undefined ? (
              <ValueCondition row={row} condition={valueConditionOf(row)!} onChange={replaceRow} />
            ) : isScript(row) ? (
              <ValueEditor
                label={`${name}, in JavaScript`}
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
              aria-label={`Remove ${name.toLowerCase()}`}
              onClick={() => onChange(removeRow(group, at))}
            >
              Remove
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
          Add a condition
        </button>
        <button type="button" className="quiet small" onClick={() => add(emptyGroup)}>
          Add a group
        </button>
        <button type="button" className="quiet small" onClick={() => add({ code: ["true"] })}>
          Add a script
        </button>
      </div>
    </div>
  )
}
