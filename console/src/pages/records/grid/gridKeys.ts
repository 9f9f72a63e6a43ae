// Keys of a grid that act on its cells; those that move the selection are in selection.ts, copy and paste come as events of their own.
import type { KeyboardEvent } from "react"

export interface GridActs {
  /** @returns true if the browser is to give the character to the editor, which has the keyboard already */
  readonly edit: (typed?: string) => boolean
  readonly clear: () => void
  readonly fillDown: () => void
  readonly find: () => void
  readonly step: (side: "undo" | "redo") => void
  /** Opens the record of the row beside the grid. */
  readonly open: () => void
  readonly tick: () => void
}

/** @returns true if the key is one of the grid's */
export const gridKey = (event: KeyboardEvent, acts: GridActs): boolean => {
  const { altKey, ctrlKey, key, metaKey, shiftKey } = event
  const isCommand = (ctrlKey || metaKey) && !altKey
  const letter = key.toLowerCase()
  if (isCommand && letter === "z") acts.step(shiftKey ? "redo" : "undo")
  else if (isCommand && letter === "y" && !shiftKey) acts.step("redo")
  else if (isCommand && letter === "d" && !shiftKey) acts.fillDown()
  else if (isCommand && letter === "f" && !shiftKey) acts.find()
  else if (isCommand || altKey) return false
  else if (key === "Enter" || key === "F2") acts.edit()
  else if (key === "Delete" || key === "Backspace") acts.clear()
  else if (key === " ") (shiftKey ? acts.tick : acts.open)()
  else if (key.length === 1) return !acts.edit(key)
  else return false
  return true
}
