// The values that a text can take, beside the form: a tree with type and example, found by typing, put in by a press, Enter or a drag.
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react"
import { Search } from "../../../../ui/Search.tsx"
import { chipOf } from "../model/chips.ts"
import type { Reference } from "../model/definition.ts"
import { keyOf } from "../model/references.ts"
import { useValueTree, type ValueChoice } from "../sample/useValueTree.ts"
import { exampleText } from "../sample/valueExamples.ts"
import "./valuePicker.css"
import { valuePicker as texts } from "../../../../texts/automations/editorForm.ts"

interface ValuePickerProps {
  readonly label: string
  readonly insert: (reference: Reference) => void
}

const Value = ({ choice, take }: { readonly choice: ValueChoice; readonly take: (reference: Reference) => void }) => {
  const { example, label, reference } = choice
  const text = exampleText(example.value)
  return (
    <li className="value-item">
      <button
        type="button"
        className="value-choice"
        draggable
        onDragStart={({ dataTransfer }) => {
          // A chip is one character of the text: dropped into a text box, it stands where it was dropped.
          dataTransfer.setData("text/plain", chipOf(reference))
          dataTransfer.effectAllowed = "copy"
        }}
        onClick={() => take(reference)}
      >
        {label}
      </button>
      <small className="value-type">{example.typeWord}</small>
      {text !== "" && <small className="value-example">{text}</small>}
    </li>
  )
}

const Picker = ({ close, insert, label }: ValuePickerProps & { readonly close: () => void }) => {
  const groups = useValueTree()
  const element = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState("")
  const words = wanted.trim().toLowerCase()
  const matching = groups
    .map(({ choices, group }) => ({
      group,
      choices: choices.filter((one) =>
        `${one.label} ${group} ${exampleText(one.example.value)}`.toLowerCase().includes(words)
      )
    }))
    .filter(({ choices }) => choices.length > 0)
  // The picker stands beside the panel, where there is room for both.
  useLayoutEffect(() => {
    const picker = element.current!
    const panel = picker.closest(".editor-panel")?.getBoundingClientRect()
    if (panel !== undefined && panel.left > 320) picker.style.right = `${window.innerWidth - panel.left + 8}px`
    picker.querySelector<HTMLElement>("input")?.focus()
  }, [])
  const take = (reference: Reference) => {
    close()
    insert(reference)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === "Escape") return close()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const elements = [...element.current!.querySelectorAll<HTMLElement>("input, .value-choice")]
    elements[
      (elements.indexOf(document.activeElement as HTMLElement) + step + elements.length) % elements.length
    ]?.focus()
  }
  return (
    <div
      ref={element}
      className="value-picker card"
      role="dialog"
      aria-label={texts.valuesForLabel(label)}
      onKeyDown={onKeyDown}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const firstChoice = matching[0]?.choices[0]
          if (firstChoice !== undefined) take(firstChoice.reference)
        }}
      >
        <Search
          label={texts.findAValue}
          value={wanted}
          onChange={setWanted}
          count={texts.countGroups(matching.length)}
        />
      </form>
      <button type="button" className="quiet small" onClick={close}>
        {texts.close}
      </button>
      <div className="value-tree">
        {matching.map(({ choices, group }) => (
          <details key={group} open>
            <summary>{group}</summary>
            <ul className="plain">
              {choices.map((choice) => (
                <Value key={keyOf(choice.reference)} choice={choice} take={take} />
              ))}
            </ul>
          </details>
        ))}
        {matching.length === 0 && <p className="muted">{texts.noValueIsCalledSo}</p>}
      </div>
    </div>
  )
}

export const ValuePicker = ({ insert, label }: ValuePickerProps) => {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="link insert"
        aria-expanded={open}
        aria-label={texts.insertAValueLabel(label)}
        onClick={() => setOpen(!open)}
      >
        {texts.insertAValue}
      </button>
      {open && (
        <Picker
          label={label}
          close={() => {
            setOpen(false)
            opener.current?.focus()
          }}
          // After the picker is gone: the text box takes the keyboard.
          insert={(reference) => window.setTimeout(() => insert(reference))}
        />
      )}
    </>
  )
}
