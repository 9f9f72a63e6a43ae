// Chooses among any number of things, which the service finds by a part of their name: a field with what it offers below, and what is
// chosen above, taken away by a press.
import { type KeyboardEvent, useState } from "react"

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
/** `onFind` is given the text while the field is open, and undefined once it is closed. */
export const FindChoices = (props: FindChoicesProps) => {
  const { chosen, id, label, many, offered = [], onChange, onFind, placeholder, required = false } = props
  const [text, setText] = useState("")
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const choices = offered.filter((one) => !chosen.some((other) => other.id === one.id))
  const find = (next: string) => {
    setText(next)
    setAt(0)
    setOpen(true)
    onFind(next)
  }
  const close = () => {
    setOpen(false)
    onFind(undefined)
  }
  const take = (one: FoundChoice) => {
    onChange(many ? [...chosen, one] : [one])
    setText("")
    setAt(0)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) {
      event.stopPropagation()
      event.preventDefault()
      return close()
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      if (!open) return find(text)
      return setAt(Math.max(0, Math.min(choices.length - 1, at + (event.key === "ArrowDown" ? 1 : -1))))
    }
    if (event.key !== "Enter" || !open) return
    event.preventDefault()
    const highlighted = choices[at]
    if (highlighted !== undefined) take(highlighted)
  }
  const isListed = open && choices.length > 0
  return (
    <div className="relation">
      {chosen.length > 0 && (
        <ul className="plain">
          {chosen.map(({ id: key, title }) => (
            <li key={key} className="chip">
              {title}
              <button
                type="button"
                aria-label={`Remove ${title}`}
                onClick={() => onChange(chosen.filter((one) => one.id !== key))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        role="combobox"
        aria-label={label}
        aria-expanded={isListed}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={isListed && choices[at] !== undefined ? `${id}-${choices[at].id}` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        required={required && chosen.length === 0}
        value={text}
        onFocus={() => find(text)}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={({ target }) => find(target.value)}
      />
      <div id={`${id}-found`} role="listbox" aria-label={label} hidden={!isListed}>
        {choices.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field above, which takes by Enter
          <div
            key={one.id}
            id={`${id}-${one.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // Before the field loses the keyboard.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(one)}
          >
            {one.title} {one.detail === undefined ? null : <small>{one.detail}</small>}
          </div>
        ))}
      </div>
      {open && props.offered !== undefined && choices.length === 0 && <small role="status">Nothing is found.</small>}
    </div>
  )
}
