// A form that somebody has opened begins with its first field.
import { type RefObject, useEffect } from "react"

export const useFirstFocus = (within: RefObject<HTMLElement | null>, turn: unknown = null) =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn begins there again
  useEffect(() => {
    within.current?.querySelector<HTMLElement>("input, select, textarea")?.focus()
  }, [within, turn])
