// Undo and redo in a layout, as in the grid: the changes of an app are one history. Keys count anywhere on the page but in what is typed into,
// since the card that had the keyboard may have moved to where it is not drawn.
import { useEffect, useRef, useState } from "react"
import { errorWords } from "../../../ui/errorWords.ts"
import { stepHistory } from "../edits/changes.ts"

const takesText = (target: EventTarget | null) =>
  target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]") !== null

/** @returns what became of the last step */
export const useHistory = (appId: number, isEnabled: boolean): string => {
  const [words, setWords] = useState("")
  const isEnabledNow = useRef(isEnabled)
  isEnabledNow.current = isEnabled
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      const isStep = (event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y")
      if (!isStep || !isEnabledNow.current || event.defaultPrevented || takesText(event.target)) return
      event.preventDefault()
      void stepHistory(appId, key === "y" || event.shiftKey ? "redo" : "undo").then(setWords, (error) =>
        setWords(errorWords(error))
      )
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [appId])
  return words
}
