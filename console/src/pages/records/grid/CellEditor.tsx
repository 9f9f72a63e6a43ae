// A cell while it is edited in its place: Enter keeps it and goes down, Tab goes on beside it, Escape leaves it as it was.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react"
import type { Field } from "../../../api/types.ts"
import type { Editor } from "../editors/editor.ts"
import { useFirstFocus } from "../editors/useFirstFocus.ts"

/** `leave`: the keyboard is elsewhere already. */
export type Onward = "stay" | "leave" | "down" | "right" | "left"

export interface CellInput {
  /** Input that the API is sent. */
  readonly value: unknown
  /** Entries that the cell shows until it is saved. */
  readonly shown: ReadonlyArray<unknown>
}

interface CellEditorProps {
  readonly field: Field
  readonly editor: Editor
  readonly values: ReadonlyArray<any>
  /** Text that was typed to begin with, replacing the cell's value. */
  readonly typed?: string | undefined
  /** @param input none where nothing was changed */
  readonly done: (onward: Onward, input?: CellInput) => void
}
export const CellEditor = ({ field, editor, values, typed, done }: CellEditorProps) => {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const isFinished = useRef(false)
  const [first] = useState(() => editor.draft(values, field))
  const [draft, setDraft] = useState(() => (typed === undefined ? first : (editor.typed?.(typed) ?? first)))
  useFirstFocus(box)
  const finish = (onward: Onward, keep: boolean) => {
    if (isFinished.current) return
    isFinished.current = true
    const changed = keep && JSON.stringify(draft) !== JSON.stringify(first)
    done(
      onward,
      changed ? { value: editor.input(draft, values), shown: editor.shown?.(draft, field) ?? [] } : undefined
    )
  }
  const latestFinish = useRef(finish)
  latestFinish.current = finish
  // A cell that is taken off the page, by a step to another one, keeps what was typed.
  useEffect(() => {
    const element = box.current
    return () => queueMicrotask(() => element?.isConnected === false && latestFinish.current("leave", true))
  }, [])
  const focusState = useRef<"here" | "in a dialog" | "coming back">("here")
  /** A dialog over the page gives the keyboard back when it closes: the edit goes on then. */
  const onBlur = () => {
    if (focusState.current === "coming back") return
    if (document.querySelector("dialog[open]") === null) finish("leave", true)
    else focusState.current = "in a dialog"
  }
  // Chrome gives back the keyboard of a dialog without a caret: the text takes it once more. React hears no event of that, since it comes
  // while React takes the dialog off the page.
  useEffect(() => {
    const element = box.current
    const onFocusIn = ({ target }: globalThis.FocusEvent) => {
      if (focusState.current !== "in a dialog" || !(target instanceof HTMLElement)) return
      focusState.current = "coming back"
      requestAnimationFrame(() => {
        target.blur()
        target.focus()
        focusState.current = "here"
        if (!(target instanceof HTMLInputElement && target.type === "text")) return
        target.setSelectionRange(target.value.length, target.value.length)
      })
    }
    element?.addEventListener("focusin", onFocusIn)
    return () => element?.removeEventListener("focusin", onFocusIn)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const onward = event.key === "Enter" ? "down" : event.key !== "Tab" ? undefined : event.shiftKey ? "left" : "right"
    if (event.key === "Escape") finish("stay", false)
    else if (onward === undefined) return
    else finish(onward, true)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the control in it
    <div className="cell-editor" ref={box} onKeyDown={onKeyDown} onBlur={onBlur}>
      <label className="unseen" htmlFor={id}>
        {field.label}
      </label>
      <editor.Control id={id} field={field} draft={draft} onChange={setDraft} />
    </div>
  )
}
