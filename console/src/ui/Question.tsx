// The dialog of a question before something is done: what it does, then yes or no, by mouse and keyboard alike.
import type { ReactNode } from "react"
import { question as texts } from "../texts/ui/ui.ts"
import { Dialog } from "./Dialog.tsx"

interface QuestionProps {
  readonly title: string
  readonly yes: string
  readonly onYes: () => void
  readonly close: () => void
  readonly children: ReactNode
}
export const Question = ({ children, close, onYes, title, yes }: QuestionProps) => (
  <Dialog title={title} close={close}>
    {children}
    <div className="buttons">
      <button
        type="button"
        className="danger"
        onClick={() => {
          close()
          onYes()
        }}
      >
        {yes}
      </button>
      <button type="button" className="quiet" data-cancel onClick={close}>
        {texts.cancel}
      </button>
    </div>
  </Dialog>
)
