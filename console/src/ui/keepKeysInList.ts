// The keys of a field whose list is open: Escape closes the list alone, and Enter takes from it alone, not the dialog, form or cell around.
import type { KeyboardEvent } from "react"

export const keepKeysInList = (isOpen: boolean, close: () => void) => (event: KeyboardEvent) => {
  if (!isOpen || (event.key !== "Escape" && event.key !== "Enter")) return
  event.stopPropagation()
  if (event.key === "Enter") return
  event.preventDefault()
  close()
}
