// A condition as a person states it, of records and of automations alike: what is asked about, what is asked of it, and with what.
import { type ReactNode, useId } from "react"

interface Choice {
  readonly key: string
  readonly words: string
  /** Choices of one group stand together under its name. */
  readonly group?: string
}

interface ChoicesProps {
  readonly id: string
  readonly choices: ReadonlyArray<Choice>
  readonly value: string
  readonly onChange: (key: string) => void
}
const Choices = ({ choices, id, onChange, value }: ChoicesProps) => {
  const option = ({ key, words }: Choice) => (
    <option key={key} value={key}>
      {words}
    </option>
  )
  const groups = [...new Set(choices.flatMap(({ group }) => (group === undefined ? [] : [group])))]
  return (
    <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
      {choices.filter(({ group }) => group === undefined).map(option)}
      {groups.map((group) => (
        <optgroup key={group} label={group}>
          {choices.filter((one) => one.group === group).map(option)}
        </optgroup>
      ))}
    </select>
  )
}

interface ConditionFieldsProps {
  /** Begins the ids of its controls; of several forms each needs its own. */
  readonly name?: string
  readonly subjects: ReadonlyArray<Choice>
  readonly subject: string
  readonly onSubject: (key: string) => void
  readonly asks: ReadonlyArray<Choice>
  readonly ask: string
  readonly onAsk: (key: string) => void
  /** Control for the value to compare with; none if the condition needs none. */
  readonly children?: ReactNode
}
export const ConditionFields = ({
  ask,
  asks,
  children,
  onAsk,
  name,
  onSubject,
  subject,
  subjects
}: ConditionFieldsProps) => {
  const generatedId = useId()
  const id = name ?? generatedId
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-field`}>Field</label>
        <Choices id={`${id}-field`} choices={subjects} value={subject} onChange={onSubject} />
      </div>
      <div className="field">
        <label htmlFor={`${id}-match`}>Condition</label>
        <Choices id={`${id}-match`} choices={asks} value={ask} onChange={onAsk} />
      </div>
      {children}
    </>
  )
}
