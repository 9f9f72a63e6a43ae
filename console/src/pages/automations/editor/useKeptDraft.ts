// Writes the draft into the browser's storage a moment after each change, and when the page is left.
import { useCallback, useEffect, useRef, useState } from "react"
import { type KeptDraft, removeDraft, writeDraft } from "./keptDraft.ts"
import type { Definition } from "./model/definition.ts"

const PAUSE_MILLIS = 300

/** @param unsaved absent while everything is saved @returns false if the browser could not keep it */
export const useKeptDraft = (user: number, automation: number, version: number, unsaved: Definition | undefined) => {
  const [isKept, setIsKept] = useState(true)
  const pending = useRef<(() => void) | undefined>(undefined)
  const flush = useCallback(() => {
    pending.current?.()
    pending.current = undefined
  }, [])
  useEffect(() => {
    pending.current = () => {
      const draft = (definition: Definition): KeptDraft => ({ version, at: new Date().toISOString(), definition })
      setIsKept(unsaved === undefined ? removeDraft(user, automation) : writeDraft(user, automation, draft(unsaved)))
    }
    const timer = window.setTimeout(flush, PAUSE_MILLIS)
    return () => window.clearTimeout(timer)
  }, [automation, flush, unsaved, user, version])
  useEffect(() => {
    window.addEventListener("pagehide", flush)
    return () => {
      window.removeEventListener("pagehide", flush)
      flush()
    }
  }, [flush])
  return isKept
}
