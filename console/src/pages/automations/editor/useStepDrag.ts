// Moves a step by mouse: a card is dragged onto an add button, which says where. A finger pans instead. Escape ends it without a move.
import { type PointerEvent, useCallback } from "react"
import type { Place } from "./model/steps.ts"

/** Pixels before a press becomes a drag. */
const THRESHOLD = 6

/** @returns for `onPointerDown` of what holds the cards */
export const useStepDrag = (drop: (id: string, place: Place) => void) =>
  useCallback(
    (down: PointerEvent) => {
      const card = (down.target as Element).closest<HTMLElement>(".step-node [data-step]")
      if (card === null || down.button !== 0 || down.pointerType === "touch") return
      const controller = new AbortController()
      const { signal } = controller
      let ghost: HTMLElement | undefined
      let target: HTMLElement | null = null
      const aim = (next: HTMLElement | null) => {
        target?.classList.remove("aimed")
        target = next
        target?.classList.add("aimed")
      }
      const end = () => {
        controller.abort()
        aim(null)
        ghost?.remove()
        document.body.classList.remove("dragging-step")
      }
      const begin = () => {
        ghost = document.createElement("div")
        ghost.className = "step-ghost"
        ghost.textContent = card.querySelector("strong")?.textContent ?? ""
        document.body.append(ghost)
        document.body.classList.add("dragging-step")
      }
      const onMove = ({ clientX, clientY }: globalThis.PointerEvent) => {
        if (ghost === undefined && Math.hypot(clientX - down.clientX, clientY - down.clientY) < THRESHOLD) return
        if (ghost === undefined) begin()
        ghost!.style.transform = `translate(${clientX + 12}px, ${clientY + 8}px)`
        aim(document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-place]") ?? null)
      }
      const onUp = () => {
        const targetPlace = target?.dataset["place"]
        const isDragged = ghost !== undefined
        end()
        if (!isDragged) return
        // The press that ends a drag chooses nothing.
        const swallow = (event: Event) => event.stopPropagation()
        window.addEventListener("click", swallow, { capture: true, once: true })
        window.setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0)
        if (targetPlace !== undefined) drop(card.dataset["step"]!, JSON.parse(targetPlace) as Place)
      }
      window.addEventListener("pointermove", onMove, { signal })
      window.addEventListener("pointerup", onUp, { signal })
      window.addEventListener("pointercancel", end, { signal })
      window.addEventListener("keydown", ({ key }) => key === "Escape" && end(), { signal })
    },
    [drop]
  )
