// Forms that hold what nobody has saved yet. A page with one of them asks before it is left (UnsavedGuard.tsx).
import { useEffect, useId } from "react"

const unsavedForms = new Set<string>()

export const hasUnsavedText = () => unsavedForms.size > 0

/** @param isUnsaved true while the form holds what would be lost with its page */
export const useUnsavedText = (isUnsaved: boolean) => {
  const id = useId()
  useEffect(() => {
    if (!isUnsaved) return
    unsavedForms.add(id)
    return () => void unsavedForms.delete(id)
  }, [id, isUnsaved])
}
