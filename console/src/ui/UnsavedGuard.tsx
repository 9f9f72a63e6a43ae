// Asks before a page is left on which a form holds what is not saved, within the console and out of it.
import { useBlocker } from "@tanstack/react-router"
import { unsavedGuard as texts } from "../texts/ui/ui.ts"
import { Dialog } from "./Dialog.tsx"
import { hasUnsavedText } from "./unsavedText.ts"

interface Place {
  readonly pathname: string
  readonly search: unknown
}
/** The record beside a grid is a page of its own, and so is a tab; order and conditions of a list are not. */
const recordIn = ({ search }: Place) => (search as { readonly record?: number }).record
const tabIn = ({ search }: Place) => (search as { readonly tab?: string }).tab

export const UnsavedGuard = () => {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasUnsavedText() &&
      (current.pathname !== next.pathname ||
        tabIn(current) !== tabIn(next) ||
        (recordIn(current) !== undefined && recordIn(current) !== recordIn(next))),
    enableBeforeUnload: hasUnsavedText,
    withResolver: true
  })
  if (status !== "blocked") return null
  return (
    <Dialog title={texts.leaveWithoutSavingQuestion} close={reset}>
      <p>{texts.whatYouTyped}</p>
      <div className="buttons">
        <button type="button" className="danger" onClick={proceed}>
          {texts.leaveWithoutSaving}
        </button>
        <button type="button" className="quiet" data-cancel onClick={reset}>
          {texts.stay}
        </button>
      </div>
    </Dialog>
  )
}
