// Chooses one of any number of things by name: from a plain list while they are few, else by typing a part of the name.

import { choiceOfMany as texts } from "../texts/ui/ui.ts"
import { Combobox } from "./Combobox.tsx"

/** A list that is read at a glance. */
export const FEW = 12

/** Choices of one group stand together under its name, or are told apart by it. */
export type Choice<Key extends string | number = number> = readonly [key: Key, text: string, group?: string | undefined]

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
  readonly "aria-describedby"?: string | undefined
  readonly "aria-invalid"?: true | undefined
}

interface OptionsProps<Key extends string | number> {
  readonly choices: ReadonlyArray<Choice<Key>>
}
/** The options of a plain list, first those without a group. */
export const Options = <Key extends string | number>({ choices }: OptionsProps<Key>) =>
  [...Map.groupBy(choices, ([, , group]) => group)]
    .toSorted(([one], [other]) => Number(one !== undefined) - Number(other !== undefined))
    .map(([group, list]) => {
      const options = list.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))
      return group === undefined ? (
        options
      ) : (
        <optgroup key={group} label={group}>
          {options}
        </optgroup>
      )
    })

const Listed = <Key extends string | number>(props: ChoiceProps<Key>) => {
  const { choices, className, id, label, none, onChange, required = false, value, ...attributes } = props
  return (
    <select
      {...attributes}
      id={id}
      className={className}
      aria-label={label}
      required={required}
      value={value ?? ""}
      onChange={({ target }) => onChange(choices.find(([key]) => String(key) === target.value)?.[0])}
    >
      {none !== undefined && <option value="">{none}</option>}
      <Options choices={choices} />
    </select>
  )
}

/** The group stands beside a choice, and the number beside each of several with an equal name. */
const distinctChoices = <Key extends string | number>(choices: ReadonlyArray<Choice<Key>>) => {
  const times = new Map<string, number>()
  for (const [, text] of choices) times.set(text, (times.get(text) ?? 0) + 1)
  return choices.map(([key, text, group]) => ({
    ...{ key, text },
    detail: group ?? (times.get(text) === 1 || typeof key !== "number" ? undefined : texts.noKey(key))
  }))
}

export const ChoiceOfMany = <Key extends string | number>({ choices, className, ...props }: ChoiceProps<Key>) =>
  choices.length > FEW ? (
    <Combobox {...props} choices={distinctChoices(choices)} />
  ) : (
    <Listed {...props} className={className} choices={choices} />
  )
