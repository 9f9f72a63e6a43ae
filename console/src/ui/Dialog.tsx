// A question over the page, as the browser's own dialog: it keeps the keyboard inside, closes with Escape and gives the focus back. The
// keyboard begins at its first field, else at what cancels, not at the button that closes it.
import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import { dialog as texts } from "../texts/ui/ui.ts"

const FIELDS = ["input", "select", "textarea"].map((name) => `${name}:not([type="hidden"], :disabled)`)
const FIRST = [...FIELDS, "[data-cancel]"].join(", ")

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ReactNode
}
export const Dialog = ({ title, close, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before a form in it takes the keyboard.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    if (dialog?.querySelector(":scope > .head")?.contains(document.activeElement) === true)
      dialog.querySelector<HTMLElement>(FIRST)?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={element} aria-labelledby={id} onCancel={close} onClose={close}>
      <div className="head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="quiet small" onClick={close}>
          {texts.close}
        </button>
      </div>
      {children}
    </dialog>
  )
}
