// A button that asks before something that cannot be taken back.
import { type ReactNode, useState } from "react"
import { Question } from "./Question.tsx"

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
        <Question title={title} yes={yes} onYes={onYes} close={() => setOpen(false)}>
          {children}
        </Question>
      ) : null}
    </>
  )
}
