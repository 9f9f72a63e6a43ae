// A list of whole numbers, such as days of a month, typed with commas between them (model/numberList.ts). What is no number is not taken.
import { useState } from "react"
import { numbersInput as texts } from "../../../../texts/automations/editorForm.ts"
import { numbersOf, numbersText } from "../model/numberList.ts"
import type { Described } from "./described.ts"

interface NumbersInputProps extends Described {
  readonly value: unknown
  /** Called with the numbers; undefined where there are none. */
  readonly onChange: (value: ReadonlyArray<number> | undefined) => void
}

export const NumbersInput = ({ onChange, value, ...described }: NumbersInputProps) => {
  // Keeps what is being typed: a comma at the end is no number yet.
  const [typed, setTyped] = useState<string>()
  const typedNumbers = typed === undefined ? undefined : numbersOf(typed)
  const isRefused = typed !== undefined && typedNumbers === undefined
  const isCurrent = isRefused || (typedNumbers !== undefined && numbersText(typedNumbers) === numbersText(value))
  return (
    <>
      <input
        {...described}
        aria-invalid={isRefused || described["aria-invalid"]}
        type="text"
        autoComplete="off"
        value={isCurrent ? typed : numbersText(value)}
        onChange={({ target }) => {
          setTyped(target.value)
          const numbers = numbersOf(target.value)
          if (numbers !== undefined) onChange(numbers.length === 0 ? undefined : numbers)
        }}
      />
      <div role="status">{isRefused && <small className="error-line">{texts.typeWholeNumbersWithCommas}</small>}</div>
    </>
  )
}
