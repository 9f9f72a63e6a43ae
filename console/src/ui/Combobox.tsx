// A select that is searched, by Base UI: a field whose list is narrowed by what is typed. Nothing but one of its choices is ever chosen;
// a text that is none of them gives way to the chosen one as the field is left.
import { Combobox as Parts } from "@base-ui/react/combobox"
import type { LucideIcon } from "lucide-react"
import { useCallback, useMemo, useState } from "react"
import { combobox as texts } from "../texts/ui/ui.ts"
import { icons } from "./icons.tsx"
import { keepKeysInList } from "./keepKeysInList.ts"
import { OptionsPopup } from "./OptionsPopup.tsx"
import { usePopupPlace } from "./usePopupPlace.ts"

/** More than anybody reads through, and than a page should hold. */
const MOST_LISTED = 50

interface ComboboxChoice<Key> {
  readonly key: Key
  readonly text: string
  /** Words that tell two of the same text apart. */
  readonly detail?: string | undefined
  readonly Icon?: LucideIcon | undefined
}

/**
 * While the list is open, the library hides the rest of the page from screen readers, and the label with it: a hidden label still names the
 * field where it is referred to by its id.
 */
const referToLabel = (input: HTMLInputElement | null) => {
  const label = input?.labels?.[0]
  if (input === null || label === undefined) return
  label.id ||= `${input.id}-label`
  input.setAttribute("aria-labelledby", label.id)
}

interface ComboboxProps<Key> {
  readonly id: string
  readonly choices: ReadonlyArray<ComboboxChoice<Key>>
  readonly value: Key | null | undefined
  readonly onChange: (value: Key | undefined) => void
  /** Label of no choice; if absent, one has to be chosen. */
  readonly none?: string | undefined
  readonly required?: boolean
  /** Name of the field where no label stands beside it. */
  readonly label?: string
  readonly "aria-describedby"?: string | undefined
  readonly "aria-invalid"?: true | undefined
}
export const Combobox = <Key extends string | number>(props: ComboboxProps<Key>) => {
  const { choices, id, label, none, onChange, required = false, value, ...attributes } = props
  const [isOpen, setOpen] = useState(false)
  const { field, place } = usePopupPlace()
  const ref = useCallback(
    (input: HTMLInputElement | null) => {
      field(input)
      referToLabel(input)
    },
    [field]
  )
  // Keys are the items: choices are made anew as their texts change, and another chosen item would take what is being typed away.
  const choiceByKey = useMemo(() => new Map(choices.map((choice) => [choice.key, choice])), [choices])
  const keys = useMemo(() => [...choiceByKey.keys()], [choiceByKey])
  const chosenChoice = value == null ? undefined : choiceByKey.get(value)
  return (
    <Parts.Root
      items={keys}
      limit={MOST_LISTED}
      autoHighlight
      open={isOpen}
      onOpenChange={setOpen}
      value={chosenChoice?.key ?? null}
      required={required}
      itemToStringLabel={(key: Key) => choiceByKey.get(key)?.text ?? ""}
      onValueChange={(next: Key | null) => {
        if (next !== null) onChange(next)
        else if (none !== undefined || !required) onChange(undefined)
      }}
    >
      <div className="combobox">
        {chosenChoice?.Icon !== undefined && <chosenChoice.Icon className="field-icon" size={16} strokeWidth={1.75} />}
        <Parts.Input
          {...attributes}
          ref={ref}
          id={id}
          aria-label={label}
          placeholder={none ?? texts.choose}
          // Typing replaces the chosen name.
          onFocus={({ currentTarget }) => currentTarget.select()}
          onMouseUp={(event) => {
            // A click into a selected text would end the selection.
            event.preventDefault()
            const { selectionEnd, selectionStart } = event.currentTarget
            if (selectionStart === selectionEnd) event.currentTarget.select()
          }}
          onKeyDown={keepKeysInList(isOpen, () => setOpen(false))}
        />
        <Parts.Trigger className="combobox-open" aria-label={texts.showTheChoices} tabIndex={-1}>
          {icons.down}
        </Parts.Trigger>
      </div>
      <OptionsPopup place={place} empty={texts.nothingFound}>
        {(key: Key) => {
          const choice = choiceByKey.get(key)
          return (
            choice !== undefined && (
              <Parts.Item key={key} value={key}>
                {choice.Icon !== undefined && <choice.Icon size={16} strokeWidth={1.75} />}
                {choice.text}
                {choice.detail !== undefined && <small>{choice.detail}</small>}
              </Parts.Item>
            )
          )
        }}
      </OptionsPopup>
    </Parts.Root>
  )
}
