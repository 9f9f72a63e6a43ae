// Asks before the reader leaves the page with unsaved changes, within the console and out of it.
import { useBlocker } from "@tanstack/react-router"
import { Dialog } from "../../../ui/Dialog.tsx"

export const Leave = ({ dirty }: { readonly dirty: boolean }) => {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true
  })
  if (status !== "blocked") return null
  return (
    <Dialog title="Leave without saving?" close={reset}>
      <p>What you have changed since you saved would be lost.</p>
      <div className="buttons">
        <button type="button" className="danger" onClick={proceed}>
          Leave without saving
        </button>
        <button type="button" className="quiet" onClick={reset}>
          Stay
        </button>
      </div>
    </Dialog>
  )
}
