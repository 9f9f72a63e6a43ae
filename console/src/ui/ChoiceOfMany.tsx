// Chooses one of any number of things by name: from a plain list while they are few, else by typing a part of the name.
import { Combobox } from "./Combobox.tsx"

/** A list that is read at a glance. */
export const FEW = 12

export type Choice<Key extends string | number = number> = readonly [key: Key, text: string]

interface ChoiceProps<Key extends string | number> {
  readonly id: string
  readonly choices: ReadonlyArray<Choice<Key>>
  readonly value: Key | null | undefined
  readonly onChange: (value: Key | undefined) => void
  /** Label of no choice; if absent, one has to be chosen. */
  readonly none?: string | undefined
  readonly required?: boolean
  /** Name of the field where no label stands beside it. */
  readonly label?: string
  /** Class of the plain list. */
  readonly className?: string | undefined
}

const Listed = <Key extends string | number>(props: ChoiceProps<Key>) => {
  const { choices, className, id, label, none, onChange, required = false, value } = props
  return (
    <select
      id={id}
      className={className}
      aria-label={label}
      required={required}
      value={value ?? ""}
      onChange={({ target }) => onChange(choices.find(([key]) => String(key) === target.value)?.[0])}
    >
      {none !== undefined && <option value="">{none}</option>}
      {choices.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** The number stands beside each of several choices with an equal name. */
const distinctChoices = <Key extends string | number>(choices: ReadonlyArray<Choice<Key>>) => {
  const times = new Map<string, number>()
  for (const [, text] of choices) times.set(text, (times.get(text) ?? 0) + 1)
  return choices.map(([key, text]) => ({ key, text, detail: times.get(text) === 1 ? undefined : `No. ${key}` }))
}

export const ChoiceOfMany = <Key extends string | number>({ choices, className, ...props }: ChoiceProps<Key>) =>
  choices.length > FEW ? (
    <Combobox {...props} choices={distinctChoices(choices)} />
  ) : (
    <Listed {...props} className={className} choices={choices} />
  )
