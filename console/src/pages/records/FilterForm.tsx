// The form of one more condition: a field, what is asked of it, and with what.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { me, users } from "../../api/queries.ts"
import type { App, Field, RecordFilter } from "../../api/types.ts"
import { filterForm as texts } from "../../texts/records/records.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { ConditionFields } from "../../ui/ConditionFields.tsx"
import { type Ask, asksOf, filterOf, optionsOf, periods } from "./filterWords.ts"

interface OperandProps {
  readonly field: Field
  readonly ask: Ask
  readonly value: string
  readonly onChange: (value: string) => void
}
const Operand = ({ field, ask, value, onChange }: OperandProps) => {
  const people = useQuery({ ...users, enabled: ask.given === "user" })
  const self = useQuery(me)
  const choices: ReadonlyArray<readonly [string, string]> =
    ask.given === "option"
      ? optionsOf(field).map(({ id, text }) => [String(id), text] as const)
      : ask.given === "period"
        ? Object.entries(periods)
        : ask.given === "user"
          ? [
              ["me", texts.whoeverLooks(self.data?.name ?? texts.you)] as const,
              ...(people.data?.users ?? []).map(({ name, user_id }) => [String(user_id), name] as const)
            ]
          : []
  if (ask.given === "nothing") return null
  const id = "filter-value"
  return (
    <div className="field">
      <label htmlFor={id}>{texts.value}</label>
      {choices.length > 0 ? (
        <ChoiceOfMany
          id={id}
          choices={choices}
          value={value === "" ? null : value}
          none={texts.choose}
          required
          onChange={(key) => onChange(key ?? "")}
        />
      ) : (
        <input
          id={id}
          required
          type={ask.given === "number" ? "number" : ask.given === "date" ? "date" : "text"}
          step="any"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}

interface FilterFormProps {
  readonly app: App
  /** Field that it begins with. */
  readonly fieldId: number | undefined
  readonly add: (filter: RecordFilter) => void
}
export const FilterForm = ({ app, add, fieldId: firstFieldId }: FilterFormProps) => {
  const [fieldId, setFieldId] = useState(firstFieldId ?? app.fields[0]?.field_id ?? 0)
  const [match, setMatch] = useState("")
  const [value, setValue] = useState("")
  const field = app.fields.find(({ field_id }) => field_id === fieldId)
  if (field === undefined) return <p>{texts.thisAppHasNoFields}</p>
  const asks = asksOf(field)
  const ask = asks.find((one) => one.match === match) ?? asks[0]!
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add(filterOf(field, ask, value))
      }}
    >
      <ConditionFields
        name="filter"
        subjects={app.fields.map(({ field_id, label }) => ({ key: String(field_id), words: label }))}
        subject={String(fieldId)}
        onSubject={(key) => {
          setFieldId(Number(key))
          setMatch("")
          setValue("")
        }}
        asks={asks.map(({ match, words }) => ({ key: match, words }))}
        ask={ask.match}
        onAsk={(key) => {
          setMatch(key)
          setValue("")
        }}
      >
        <Operand field={field} ask={ask} value={value} onChange={setValue} />
      </ConditionFields>
      <button type="submit">{texts.addCondition}</button>
    </form>
  )
}
