// Adds one of any number of choices to a list: from a plain list while they are few, else by typing a part of the name. The field itself never
// holds a choice.
import { useState } from "react"
import { type Choice, FEW, Options } from "./ChoiceOfMany.tsx"
import { FindChoices } from "./FindChoices.tsx"

/** More than anybody reads through. */
const MOST_OFFERED = 50

interface AddOneProps<Key extends string | number> {
  readonly id: string
  /** Name of the field, and its words. */
  readonly label: string
  readonly choices: ReadonlyArray<Choice<Key>>
  readonly onAdd: (key: Key) => void
}
export const AddOne = <Key extends string | number>({ choices, id, label, onAdd }: AddOneProps<Key>) => {
  const [text, setText] = useState<string>()
  const add = (choice: Choice<Key> | undefined) => choice !== undefined && onAdd(choice[0])
  if (choices.length <= FEW)
    return (
      <select
        id={id}
        aria-label={label}
        value=""
        onChange={({ target }) => add(choices.find(([key]) => String(key) === target.value))}
      >
        <option value="">{label}</option>
        <Options choices={choices} />
      </select>
    )
  const part = (text ?? "").trim().toLocaleLowerCase()
  const offered = choices.flatMap(([, title, detail], index) =>
    title.toLocaleLowerCase().includes(part) ? [{ id: index, title, ...(detail !== undefined && { detail }) }] : []
  )
  return (
    <FindChoices
      id={id}
      label={label}
      placeholder={label}
      chosen={[]}
      many
      offered={offered.slice(0, MOST_OFFERED)}
      onFind={setText}
      onChange={([chosen]) => add(chosen && choices[chosen.id])}
    />
  )
}
