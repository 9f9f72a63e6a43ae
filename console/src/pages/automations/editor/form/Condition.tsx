// Edits a condition of a filter: its subject, any earlier value, the operators that the service's catalogue has for it, a value of the subject's kind.
import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { condition as texts } from "../../../../texts/automations/editorForm.ts"
import { ConditionFields } from "../../../../ui/ConditionFields.tsx"
import { operatorsOf } from "../catalogue.ts"
import { useEditor } from "../context.ts"
import type { FilterCondition, FilterRow } from "../model/definition.ts"
import { asked, comparedType } from "../model/filterTree.ts"
import { keyOf, wordsOf } from "../model/references.ts"
import { IdsEditor } from "./ReferenceSelect.tsx"
import { rowAbout, useSubjects } from "./ValueCondition.tsx"
import { ValueEditor } from "./ValueEditor.tsx"

interface ConditionProps {
  readonly row: FilterCondition
  readonly onChange: (row: FilterRow) => void
}
export const Condition = ({ onChange, row }: ConditionProps) => {
  const { apps } = useEditor()
  const knownSubjects = useSubjects()
  const type = comparedType(row.subject, apps)
  const offered = useQuery(operatorsOf(type === "boolean" ? "calculation" : type)).data?.operators ?? []
  const operators = type === "boolean" ? offered.filter(({ operator }) => /^is(?:_not)?$/.test(operator)) : offered
  const key = keyOf(row.subject)
  const subjects = knownSubjects.some((one) => one.key === key)
    ? knownSubjects
    : [{ key, words: wordsOf(row.subject, apps) }, ...knownSubjects]
  const operator = operators.find((one) => one.operator === row.operator)
  return (
    <ConditionFields
      subjects={subjects}
      subject={key}
      onSubject={(next) => {
        const choice = knownSubjects.find((one) => one.key === next)?.choice
        if (choice !== undefined) onChange(rowAbout(row.id, choice))
      }}
      asks={[
        ...(operator === undefined && row.operator !== undefined ? [{ key: row.operator, words: row.operator }] : []),
        ...operators.map((one) => ({ key: one.operator, words: one.label.toLowerCase() }))
      ]}
      ask={row.operator ?? ""}
      onAsk={(next) => {
        const takesValue = operators.find((one) => one.operator === next)?.value_arity !== "none"
        onChange(asked(row, row.subject, next, takesValue, type))
      }}
    >
      {row.value !== undefined && (
        <Value subject={row.subject} value={row.value} onChange={(value) => onChange({ ...row, value })} />
      )}
    </ConditionFields>
  )
}

type FilterValue = NonNullable<FilterCondition["value"]>
interface ValueProps {
  readonly subject: FilterCondition["subject"]
  readonly value: FilterValue
  readonly onChange: (value: FilterValue) => void
}
const Value = ({ onChange, subject, value }: ValueProps) => {
  const id = useId()
  switch (value["type"]) {
    case "ids":
      return (
        <div className="field">
          <IdsEditor id={id} field={subject} value={value["ids"]} onChange={(ids) => onChange({ ...value, ids })} />
        </div>
      )
    case "number":
      return (
        <div className="field">
          <ValueEditor
            label={texts.number}
            language="javascript"
            line
            value={value["number"]}
            onChange={(number) => onChange({ ...value, number })}
          />
        </div>
      )
    case "date":
      return <RelativeDate value={value} onChange={onChange} />
    case "boolean":
      return (
        <div className="pick">
          <input
            id={id}
            type="checkbox"
            checked={value["boolean"] === true}
            onChange={({ target }) => onChange({ ...value, boolean: target.checked })}
          />
          <label htmlFor={id}>{texts.yes}</label>
        </div>
      )
    default:
      return (
        <div className="field">
          <ValueEditor
            label={texts.text}
            language="text"
            line
            value={value["text"]}
            onChange={(text) => onChange({ ...value, text })}
          />
        </div>
      )
  }
}

const units = ["hour", "day", "week", "month"]

/** Edits a time distance before or after today: "0 days after today" is today. */
const RelativeDate = ({ onChange, value }: Omit<ValueProps, "subject">) => {
  const id = useId()
  const date = (value["date"] ?? {}) as Readonly<Record<string, unknown>>
  const changeDate = (more: object) => onChange({ ...value, date: { ...date, ...more } })
  return (
    <div className="inline field">
      <div className="field">
        <ValueEditor
          label={texts.howMany}
          language="javascript"
          line
          value={date["amount"]}
          onChange={(amount) => changeDate({ amount })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-unit`}>{texts.unit}</label>
        <select
          id={`${id}-unit`}
          value={String(date["unit"] ?? "day")}
          onChange={({ target }) => changeDate({ unit: target.value })}
        >
          {units.map((unit) => (
            <option key={unit} value={unit}>
              {texts.unitS(unit)}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-way`}>{texts.fromToday}</label>
        <select
          id={`${id}-way`}
          value={String(date["operator"] ?? "plus")}
          onChange={({ target }) => changeDate({ operator: target.value })}
        >
          <option value="plus">{texts.after}</option>
          <option value="minus">{texts.before}</option>
        </select>
      </div>
    </div>
  )
}
