// Drags a card by mouse, pen or, after a moment's hold, finger: a copy follows the pointer, the place under it is told, and near an edge what
// is around it scrolls. Keyboards have their own way, and every card a menu.
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from "react"

/** Pixels after which a press is a drag. */
const LEAST_MOVE = 5
/** Milliseconds after which a finger drags; before, it scrolls. */
const HOLD = 350
/** Pixels from an edge within which it scrolls, and how far each time. */
const EDGE = 40
const SCROLL_STEP = 14

export interface CardDrag {
  readonly recordId: number
  /** Key of the place under the pointer. */
  readonly over: string | undefined
}

interface DragProps {
  readonly isEnabled: boolean
  readonly box: RefObject<HTMLElement | null>
  /** @param from key of the place where the drag began */
  readonly drop: (recordId: number, over: string, from: string) => void
}

const placeAt = (x: number, y: number): HTMLElement | null =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop]") ?? null

const copyOf = (card: HTMLElement): HTMLElement => {
  const { height, width } = card.getBoundingClientRect()
  const copy = card.cloneNode(true) as HTMLElement
  copy.classList.add("dragged-copy")
  copy.removeAttribute("data-card")
  copy.setAttribute("aria-hidden", "true")
  copy.inert = true
  copy.style.width = `${width}px`
  copy.style.height = `${height}px`
  return copy
}

const stepAt = (at: number, from: number, until: number) =>
  at < from + EDGE ? -SCROLL_STEP : at > until - EDGE ? SCROLL_STEP : 0

export const useCardDrag = (props: DragProps) => {
  const latest = useRef(props)
  latest.current = props
  const [drag, setDrag] = useState<CardDrag>()
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const onPointerDown = (event: ReactPointerEvent) => {
    const target = event.target as Element
    const card = target.closest<HTMLElement>("[data-card]")
    if (!props.isEnabled || event.button !== 0 || card === null || target.closest("button, input, select") !== null)
      return
    stop.current?.()
    const recordId = Number(card.dataset["card"])
    const startPoint = { x: event.clientX, y: event.clientY }
    const from = placeAt(startPoint.x, startPoint.y)?.dataset["drop"] ?? ""
    const isTouch = event.pointerType === "touch"
    let pointer = startPoint
    let copy: HTMLElement | undefined
    let targetKey: string | undefined

    const follow = () => {
      copy!.style.transform = `translate(${pointer.x - startPoint.x}px, ${pointer.y - startPoint.y}px)`
      targetKey = placeAt(pointer.x, pointer.y)?.dataset["drop"]
      setDrag((before) => (before?.over === targetKey && before !== undefined ? before : { recordId, over: targetKey }))
    }
    const begin = () => {
      const { left, top } = card.getBoundingClientRect()
      copy = copyOf(card)
      copy.style.left = `${left}px`
      copy.style.top = `${top}px`
      ;(card.closest(".layout") ?? document.body).append(copy)
      follow()
    }
    const scroll = () => {
      if (copy === undefined) return
      const list = document.elementFromPoint(pointer.x, pointer.y)?.closest<HTMLElement>("[data-scrolls]")
      if (list != null) {
        const { bottom, top } = list.getBoundingClientRect()
        list.scrollBy(0, stepAt(pointer.y, top, bottom))
      }
      const box = latest.current.box.current
      if (box === null) return
      const { left, right } = box.getBoundingClientRect()
      box.scrollBy(stepAt(pointer.x, left, right), 0)
    }
    const onMove = (move: PointerEvent) => {
      pointer = { x: move.clientX, y: move.clientY }
      const isFar = Math.hypot(pointer.x - startPoint.x, pointer.y - startPoint.y) > LEAST_MOVE
      if (copy !== undefined) return follow()
      if (isFar && isTouch) end()
      else if (isFar) begin()
    }
    /** The press that ends a drag opens nothing. */
    const swallowClick = () => {
      const swallow = (click: Event) => {
        click.preventDefault()
        click.stopPropagation()
      }
      window.addEventListener("click", swallow, { capture: true, once: true })
      setTimeout(() => window.removeEventListener("click", swallow, true))
    }
    const onUp = () => {
      const isDrag = copy !== undefined
      end()
      if (!isDrag) return
      swallowClick()
      if (targetKey !== undefined && targetKey !== from) latest.current.drop(recordId, targetKey, from)
    }
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== "Escape" || copy === undefined) return
      key.preventDefault()
      key.stopPropagation()
      end()
    }
    /** A finger that drags does not scroll, and opens no menu of the browser. */
    const keepStill = (touch: Event) => copy !== undefined && touch.cancelable && touch.preventDefault()
    const timer = setInterval(scroll, 30)
    const hold = isTouch ? setTimeout(begin, HOLD) : undefined
    const listeners = new AbortController()
    const { signal } = listeners
    const end = () => {
      clearInterval(timer)
      clearTimeout(hold)
      listeners.abort()
      copy?.remove()
      copy = undefined
      stop.current = undefined
      setDrag(undefined)
    }
    window.addEventListener("pointermove", onMove, { signal })
    window.addEventListener("pointerup", onUp, { signal })
    window.addEventListener("pointercancel", end, { signal })
    window.addEventListener("blur", end, { signal })
    window.addEventListener("keydown", onKey, { signal, capture: true })
    window.addEventListener("touchmove", keepStill, { signal, passive: false })
    window.addEventListener("contextmenu", keepStill, { signal })
    stop.current = end
  }
  return { drag, onPointerDown }
}
