// A condition as a person states it, of records and of automations alike: what is asked about, what is asked of it, and with what.
import { type ReactNode, useId } from "react"
import { conditionFields as texts } from "../texts/ui/ui.ts"
import { ChoiceOfMany, Options } from "./ChoiceOfMany.tsx"

interface Choice {
  readonly key: string
  readonly words: string
  /** Choices of one group stand together under its name. */
  readonly group?: string
}

/** Each has its key, its words and its group. */
const choicesOf = (choices: ReadonlyArray<Choice>) =>
  choices.map(({ group, key, words }) => [key, words, group] as const)

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
        <label htmlFor={`${id}-field`}>{texts.field}</label>
        <ChoiceOfMany
          id={`${id}-field`}
          choices={choicesOf(subjects)}
          value={subject}
          required
          onChange={(key) => key !== undefined && onSubject(key)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-match`}>{texts.condition}</label>
        <select id={`${id}-match`} value={ask} onChange={({ target }) => onAsk(target.value)}>
          <Options choices={choicesOf(asks)} />
        </select>
      </div>
      {children}
    </>
  )
}
