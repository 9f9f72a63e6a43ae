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
  const wanted = text.trim() === "" ? undefined : text.trim()
  const latest = useRef(keep)
  latest.current = keep
  // Texts that were written to the address: one may arrive there after the next was typed, and must not replace it.
  const told = useRef(new Set([kept]))
  const last = useRef(kept)
  useEffect(() => {
    if (wanted === last.current) return
    const timer = window.setTimeout(() => {
      told.current.add(wanted)
      last.current = wanted
      latest.current(wanted)
    }, AFTER_KEYS)
    return () => window.clearTimeout(timer)
  }, [wanted])
  useEffect(() => {
    if (kept === last.current || (kept !== undefined && told.current.has(kept))) return
    last.current = kept
    setText(kept ?? "")
  }, [kept])
  return [text, setText] as const
}
