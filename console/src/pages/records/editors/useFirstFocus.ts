// A form that somebody has opened begins with its first field.
import { type RefObject, useEffect } from "react"

export const useFirstFocus = (within: RefObject<HTMLElement | null>, turn: unknown = null) =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn begins there again
  useEffect(() => {
    const firstInput = within.current?.querySelector<HTMLElement>("input, select, textarea")
    firstInput?.focus()
    // One goes on with a text that is there.
    if (firstInput instanceof HTMLTextAreaElement)
      firstInput.setSelectionRange(firstInput.value.length, firstInput.value.length)
  }, [within, turn])
