// Keeps what matters in view of the canvas: the chosen part, and whatever gets the keyboard or is scrolled to by the browser. Zooms by keys.
import { useReactFlow } from "@xyflow/react"
import { type RefObject, useEffect } from "react"
import { useFlow } from "./flowStore.ts"
import type { FlowLayout } from "./model/layout.ts"

const MARGIN = 24

/** Distance to move so that [from, to] lies within [low, high]; its beginning counts where it is longer. */
const shiftInto = (from: number, to: number, low: number, high: number) =>
  from < low || to - from > high - low ? low - from : to > high ? high - to : 0

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], .code-area") !== null

export const useCanvasView = (frame: RefObject<HTMLDivElement | null>, layout: FlowLayout) => {
  const { fitView, getViewport, setViewport, zoomIn, zoomOut } = useReactFlow()
  const chosenStep = useFlow((state) => state.chosen)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new layout may have moved the chosen part
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const pan = (x: number, y: number) => {
      const view = getViewport()
      if (x !== 0 || y !== 0) void setViewport({ ...view, x: view.x + x, y: view.y + y })
    }
    const reveal = (part: Element | null) => {
      const bounds = element.getBoundingClientRect()
      const rect = part?.getBoundingClientRect()
      if (rect === undefined) return
      pan(
        shiftInto(rect.left, rect.right, bounds.left + MARGIN, bounds.right - MARGIN),
        shiftInto(rect.top, rect.bottom, bounds.top + MARGIN, bounds.bottom - MARGIN)
      )
    }
    // Two frames: React Flow draws new parts in the first.
    const request = requestAnimationFrame(() =>
      requestAnimationFrame(() => reveal(element.querySelector(`[data-step="${CSS.escape(chosenStep)}"]`)))
    )
    // A browser that scrolls to a part moves the frame's content: it becomes a pan, or the flow and its overview would disagree.
    const onScroll = ({ target }: Event) => {
      const { scrollLeft, scrollTop } = target as HTMLElement
      if (scrollLeft === 0 && scrollTop === 0) return
      ;(target as HTMLElement).scrollTo(0, 0)
      pan(-scrollLeft, -scrollTop)
    }
    const onFocus = ({ target }: FocusEvent) => {
      if ((target as Element).closest(".react-flow__node") !== null)
        requestAnimationFrame(() => reveal(target as Element))
    }
    element.addEventListener("scroll", onScroll, { capture: true })
    element.addEventListener("focusin", onFocus)
    return () => {
      cancelAnimationFrame(request)
      element.removeEventListener("scroll", onScroll, { capture: true })
      element.removeEventListener("focusin", onFocus)
    }
  }, [chosenStep, frame, getViewport, layout, setViewport])

  useEffect(() => {
    const element = frame.current
    if (element === null) return
    let width = element.clientWidth
    const watch = new ResizeObserver(() => {
      const view = getViewport()
      void setViewport({ ...view, x: view.x + (element.clientWidth - width) / 2 })
      width = element.clientWidth
    })
    watch.observe(element)
    const onKey = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, key, metaKey, target } = event
      if (altKey || ctrlKey || metaKey || isTyping(target) || document.querySelector("dialog[open]") !== null) return
      if (key === "+") void zoomIn()
      else if (key === "-") void zoomOut()
      else if (key === "0") void fitView({ maxZoom: 1, padding: 0.05 })
      else if (key === " " && (target === document.body || element.contains(target as HTMLElement)))
        element.classList.add("panned")
    }
    const onKeyUp = ({ key }: KeyboardEvent) => key === " " && element.classList.remove("panned")
    document.addEventListener("keydown", onKey)
    document.addEventListener("keyup", onKeyUp)
    return () => {
      watch.disconnect()
      document.removeEventListener("keydown", onKey)
      document.removeEventListener("keyup", onKeyUp)
    }
  }, [fitView, frame, getViewport, setViewport, zoomIn, zoomOut])
}
