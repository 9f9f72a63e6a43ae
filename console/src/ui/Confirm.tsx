// A question before something that cannot be taken back: what it does, then yes or no, by mouse and keyboard alike.
import { type ReactNode, useState } from "react"
import { Dialog } from "./Dialog.tsx"

interface ConfirmProps {
  readonly label: string
  /** Subject of the action, if a list offers the action many times. */
  readonly about?: string
  readonly title: string
  readonly yes: string
  readonly busy?: boolean
  readonly onYes: () => void
  readonly children: ReactNode
}
export const Confirm = ({ label, about, title, yes, busy = false, onYes, children }: ConfirmProps) => {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const agree = () => {
    close()
    onYes()
  }
  return (
    <>
      <button
        type="button"
        className="quiet small"
        disabled={busy}
        onClick={() => setOpen(true)}
        {...(about !== undefined && { "aria-label": `${label} ${about}` })}
      >
        {label}
      </button>
      {open ? (
        <Dialog title={title} close={close}>
          {children}
          <div className="buttons">
            <button type="button" className="danger" onClick={agree}>
              {yes}
            </button>
            <button type="button" className="quiet" data-cancel onClick={close}>
              Cancel
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}
