// Keeps the keyboard at a card that is drawn anew at another place.
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react"

const idOf = (target: Element) => target.closest<HTMLElement>("[data-opens]")?.dataset["opens"]

/** Links of cards in the order of the page. */
export const cardLinks = (box: HTMLElement | null) => [...(box?.querySelectorAll<HTMLElement>("[data-opens]") ?? [])]
export const focusCard = (box: HTMLElement | null, recordId: number | string) =>
  box?.querySelector<HTMLElement>(`[data-opens="${recordId}"]`)?.focus()

/** @param onCard is told of the card that the keyboard has come to */
export const useFollowedCard = (box: RefObject<HTMLElement | null>, onCard?: (recordId: number) => void) => {
  const followed = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (followed.current !== undefined && document.activeElement === document.body)
      focusCard(box.current, followed.current)
  })
  const onFocus = ({ target }: FocusEvent) => {
    followed.current = idOf(target)
    if (followed.current !== undefined) onCard?.(Number(followed.current))
  }
  /** Somebody has pressed where nothing takes the keyboard. */
  const onBlur = ({ target }: FocusEvent) =>
    void setTimeout(() => {
      if (target.isConnected && document.activeElement === document.body) followed.current = undefined
    })
  return { onFocus, onBlur }
}
