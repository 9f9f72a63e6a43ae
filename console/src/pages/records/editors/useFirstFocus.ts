// A form that somebody has opened begins with its first field.
import { type RefObject, useEffect } from "react"

export const useFirstFocus = (within: RefObject<HTMLElement | null>, turn: unknown = null) =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn begins there again
  useEffect(() => {
    const first = within.current?.querySelector<HTMLElement>("input, select, textarea")
    first?.focus()
    // One goes on with a text that is there.
    if (first instanceof HTMLTextAreaElement) first.setSelectionRange(first.value.length, first.value.length)
  }, [within, turn])
