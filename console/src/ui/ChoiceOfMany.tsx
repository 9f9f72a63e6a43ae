// Chooses one of many by name: from a list while they are few. Otherwise typing narrows the offered choices, and nothing is chosen before
// the text is the name of one.
import { useState } from "react"

/** More than anybody reads through, and than a page should hold. */
export const FEW = 50

export type Choice = readonly [id: number, text: string]

interface ChoiceProps {
  readonly id: string
  readonly choices: ReadonlyArray<Choice>
  readonly value: number | null | undefined
  readonly onChange: (value: number | undefined) => void
  /** Label of no choice; if absent, one has to be chosen. */
  readonly none?: string | undefined
  readonly required?: boolean
}

const Listed = ({ choices, id, none, onChange, required = false, value }: ChoiceProps) => (
  <select
    id={id}
    required={required}
    value={value ?? ""}
    onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
  >
    {none !== undefined && <option value="">{none}</option>}
    {choices.map(([key, text]) => (
      <option key={key} value={key}>
        {text}
      </option>
    ))}
  </select>
)

/** Adds the number to each of several choices with an equal name. */
const numberDuplicates = (choices: ReadonlyArray<Choice>): ReadonlyArray<Choice> => {
  const times = new Map<string, number>()
  for (const [, text] of choices) times.set(text, (times.get(text) ?? 0) + 1)
  return choices.map(([key, text]) => [key, times.get(text) === 1 ? text : `${text} (No. ${key})`])
}

const Typed = ({ choices, id, none, onChange, required = false, value }: ChoiceProps) => {
  /** Text while the input has the focus. */
  const [typed, setTyped] = useState<string>()
  const distinctChoices = numberDuplicates(choices)
  const words = (typed ?? "").trim().toLowerCase()
  const offered =
    typed === undefined ? [] : distinctChoices.filter(([, text]) => text.toLowerCase().includes(words)).slice(0, FEW)
  const chosenText = distinctChoices.find(([key]) => key === value)?.[1] ?? ""
  return (
    <>
      <input
        id={id}
        ref={(input) =>
          input?.setCustomValidity(words === "" || typed === chosenText ? "" : "Choose one of those offered.")
        }
        list={`${id}-offered`}
        placeholder={none ?? "A part of the name"}
        autoComplete="off"
        required={required}
        value={typed ?? chosenText}
        onFocus={() => setTyped(chosenText)}
        onBlur={() => setTyped(undefined)}
        onChange={({ target }) => {
          setTyped(target.value)
          const matchingChoice = distinctChoices.find(([, text]) => text === target.value)
          if (matchingChoice !== undefined) onChange(matchingChoice[0])
          else if (target.value.trim() === "") onChange(undefined)
        }}
      />
      <datalist id={`${id}-offered`}>
        {offered.map(([key, text]) => (
          <option key={key} value={text} />
        ))}
      </datalist>
    </>
  )
}

export const ChoiceOfMany = (props: ChoiceProps) =>
  props.choices.length > FEW ? <Typed {...props} /> : <Listed {...props} />
