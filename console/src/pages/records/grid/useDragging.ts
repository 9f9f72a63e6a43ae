// Mouse in a grid: a press selects a cell, a drag a range, the handle of the range fills; near an edge of the box it scrolls.
import { type MouseEvent, useEffect, useRef, useState } from "react"
import type { CellPlace, Range } from "./selection.ts"

/** Cell of an element of the grid. */
export const placeOf = (target: EventTarget | Element | null): CellPlace | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null
  return cell === null ? undefined : { row: Number(cell.dataset["row"]), column: Number(cell.dataset["column"]) }
}
const isControl = (target: Element) => target.closest("a, input, select, textarea, button, .cell-editor") !== null

/** Pixels from an edge within which the box scrolls. */
const EDGE = 28
const SCROLL_STEP = 18

interface Dragging {
  readonly box: HTMLElement | null
  readonly range: Range
  readonly mayFill: boolean
  readonly go: (place: CellPlace) => void
  readonly extend: (place: CellPlace) => void
  /** The range is repeated down to this row, or up to it. */
  readonly fill: (row: number) => void
}
export const useDragging = (props: Dragging) => {
  const latest = useRef(props)
  latest.current = props
  const [drag, setDrag] = useState<"select" | "fill">()
  const [fillRow, setFillRow] = useState<number>()
  const lastFillRow = useRef<number>(undefined)

  // Selecting goes on outside of the grid, until the button is released.
  useEffect(() => {
    if (drag === undefined) return
    let pointer = { x: 0, y: 0, isKnown: false }
    const follow = () => {
      const box = latest.current.box?.getBoundingClientRect()
      if (box === undefined || !pointer.isKnown) return
      const x = Math.max(box.left + 2, Math.min(box.right - 18, pointer.x))
      const y = Math.max(box.top + 40, Math.min(box.bottom - 18, pointer.y))
      const cellPlace = placeOf(document.elementFromPoint(x, y))
      if (cellPlace === undefined) return
      if (drag === "select") return latest.current.extend(cellPlace)
      lastFillRow.current = cellPlace.row
      setFillRow(cellPlace.row)
    }
    const scroll = () => {
      const { box } = latest.current
      if (box === null || !pointer.isKnown) return
      const edges = box.getBoundingClientRect()
      const stepOf = (at: number, from: number, until: number) =>
        at < from + EDGE ? -SCROLL_STEP : at > until - EDGE ? SCROLL_STEP : 0
      const [left, top] = [stepOf(pointer.x, edges.left, edges.right), stepOf(pointer.y, edges.top + 36, edges.bottom)]
      if (left === 0 && top === 0) return
      box.scrollBy(left, top)
      follow()
    }
    const timer = setInterval(scroll, 30)
    const onMove = (event: globalThis.MouseEvent) => {
      pointer = { x: event.clientX, y: event.clientY, isKnown: true }
      follow()
    }
    const onUp = () => {
      setDrag(undefined)
      setFillRow(undefined)
      if (drag === "fill" && lastFillRow.current !== undefined) latest.current.fill(lastFillRow.current)
    }
    window.addEventListener("mousemove", onMove)
    window.addEventListener("mouseup", onUp)
    return () => {
      clearInterval(timer)
      window.removeEventListener("mousemove", onMove)
      window.removeEventListener("mouseup", onUp)
    }
  }, [drag])

  const onMouseDown = (event: MouseEvent): CellPlace | undefined => {
    const target = event.target as Element
    if (event.button !== 0) return undefined
    if (props.mayFill && target.closest("[data-fill]") !== null) {
      event.preventDefault()
      lastFillRow.current = undefined
      setDrag("fill")
      return undefined
    }
    const cellPlace = placeOf(target)
    if (cellPlace === undefined || isControl(target)) return undefined
    event.preventDefault()
    if (event.shiftKey) props.extend(cellPlace)
    else props.go(cellPlace)
    setDrag("select")
    return cellPlace
  }
  return { onMouseDown, fillRow, isFilling: drag === "fill" }
}
