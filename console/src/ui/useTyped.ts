// Keeps text that narrows a list in the address: writes it a moment after the last key, and takes it back when something else has changed
// it.
import { useEffect, useRef, useState } from "react"

const AFTER_KEYS = 250

/**
 * @param kept as the address has it
 * @param keep of the present render: what else was chosen meanwhile stays
 */
export const useTyped = (kept: string | undefined, keep: (text: string | undefined) => void) => {
  const [text, setText] = useState(kept ?? "")
  const trimmedText = text.trim() === "" ? undefined : text.trim()
  const latest = useRef(keep)
  latest.current = keep
  // Texts that were written to the address: one may arrive there after the next was typed, and must not replace it.
  const writtenTexts = useRef(new Set([kept]))
  const lastWritten = useRef(kept)
  useEffect(() => {
    if (trimmedText === lastWritten.current) return
    const timer = window.setTimeout(() => {
      writtenTexts.current.add(trimmedText)
      lastWritten.current = trimmedText
      latest.current(trimmedText)
    }, AFTER_KEYS)
    return () => window.clearTimeout(timer)
  }, [trimmedText])
  useEffect(() => {
    if (kept === lastWritten.current || (kept !== undefined && writtenTexts.current.has(kept))) return
    lastWritten.current = kept
    setText(kept ?? "")
  }, [kept])
  return [text, setText] as const
}
