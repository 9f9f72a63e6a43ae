// Undo and redo in a layout, as in the grid: the changes of an app are one history.
import { useState } from "react"
import { errorWords } from "../../../ui/states.tsx"
import { stepHistory } from "../edits/changes.ts"

export const useHistory = (appId: number) => {
  const [words, setWords] = useState("")
  const step = (side: "undo" | "redo") =>
    stepHistory(appId, side).then(setWords, (error) => setWords(errorWords(error)))
  return { words, step: (side: "undo" | "redo") => void step(side) }
}
