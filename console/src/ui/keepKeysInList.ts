// The keys of a field with a list. Open: Escape closes the list alone, and Enter takes from it alone, not the dialog, form or cell around.
// Closed: Escape is theirs; the library would take the chosen value away by it.
import type { KeyboardEvent } from "react"

/** An event of React as Base UI hands it on, with its own handling still to come. */
interface FieldKeyEvent extends KeyboardEvent {
  readonly preventBaseUIHandler: () => void
}

export const keepKeysInList = (isOpen: boolean, close: () => void) => (event: FieldKeyEvent) => {
  if (event.key !== "Escape" && event.key !== "Enter") return
  if (!isOpen) {
    if (event.key === "Escape") event.preventBaseUIHandler()
    return
  }
  event.stopPropagation()
  if (event.key === "Enter") return
  event.preventDefault()
  close()
}
