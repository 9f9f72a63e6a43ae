// Chooses among any number of things, which the service finds by a part of their name: a field with what it offers below, by Base UI, and
// what is chosen above, taken away by a press.
import { Combobox as Parts } from "@base-ui/react/combobox"
import { useState } from "react"
import { findChoices as texts } from "../texts/ui/ui.ts"
import { keepKeysInList } from "./keepKeysInList.ts"
import { OptionsPopup } from "./OptionsPopup.tsx"
import { usePopupPlace } from "./usePopupPlace.ts"

export interface FoundChoice {
  readonly id: number
  readonly title: string
  /** Words that tell two of the same title apart. */
  readonly detail?: string
}

interface FindChoicesProps {
  readonly id: string
  readonly label: string
  readonly placeholder: string
  readonly chosen: ReadonlyArray<FoundChoice>
  readonly many: boolean
  readonly required?: boolean
  /** Choices for the text; undefined while they are not known. */
  readonly offered: ReadonlyArray<FoundChoice> | undefined
  readonly onFind: (text: string | undefined) => void
  readonly onChange: (chosen: ReadonlyArray<FoundChoice>) => void
}
/** `onFind` is given the text while the list is open, and undefined once it is closed. */
export const FindChoices = (props: FindChoicesProps) => {
  const { chosen, id, label, many, offered, onChange, onFind, placeholder, required = false } = props
  const [text, setText] = useState("")
  const [isOpen, setOpen] = useState(false)
  const { field, place } = usePopupPlace()
  const choices = (offered ?? []).filter((one) => !chosen.some((other) => other.id === one.id))
  const changeOpen = (next: boolean) => {
    setOpen(next)
    onFind(next ? text : undefined)
  }
  const find = (next: string) => {
    setText(next)
    setOpen(true)
    onFind(next)
  }
  const take = (one: FoundChoice | undefined) => {
    if (one === undefined) return
    onChange(many ? [...chosen, one] : [one])
    setText("")
    changeOpen(false)
  }
  return (
    <div className="relation">
      {chosen.length > 0 && (
        <ul className="plain">
          {chosen.map(({ id: key, title }) => (
            <li key={key} className="chip">
              {title}
              <button
                type="button"
                aria-label={texts.removeTitle(title)}
                onClick={() => onChange(chosen.filter((one) => one.id !== key))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <Parts.Root
        items={choices}
        filter={null}
        autoHighlight
        open={isOpen}
        onOpenChange={changeOpen}
        // What is chosen stands above: the field itself never holds a choice.
        value={null}
        onValueChange={(one: FoundChoice | null) => take(one ?? undefined)}
        inputValue={text}
        onInputValueChange={(next, { reason }) => reason === "input-change" && find(next)}
        required={required && chosen.length === 0}
        itemToStringLabel={({ title }: FoundChoice) => title}
      >
        <Parts.Input
          ref={field}
          id={id}
          aria-label={label}
          placeholder={placeholder}
          onKeyDown={keepKeysInList(isOpen, () => changeOpen(false))}
        />
        <OptionsPopup place={place} label={label} empty={offered === undefined ? "" : texts.nothingIsFound}>
          {(one: FoundChoice) => (
            <Parts.Item key={one.id} value={one}>
              {one.title} {one.detail === undefined ? null : <small>{one.detail}</small>}
            </Parts.Item>
          )}
        </OptionsPopup>
      </Parts.Root>
    </div>
  )
}
