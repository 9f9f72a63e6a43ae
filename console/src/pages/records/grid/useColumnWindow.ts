// The columns that are seen in the box of a grid, as it is scrolled sideways and resized; the others are not drawn.
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { type Column, drawnColumns, frozenCount, leftShowing } from "./look.ts"

/** Width of the first cells of rows, with their number or a box to tick. */
export const ROW_HEAD = 52

export const useColumnWindow = (element: HTMLElement | null, columns: ReadonlyArray<Column>, wantedFrozen: number) => {
  const [view, setView] = useState(1_200)
  const [left, setLeft] = useState(0)
  const frozen = frozenCount(columns, wantedFrozen, view)
  const latest = useRef({ columns, frozen, view })
  latest.current = { columns, frozen, view }
  const { first, last } = drawnColumns(columns, frozen, left, view)

  useEffect(() => {
    if (element === null) return
    const onScroll = () => {
      const { columns, frozen, view } = latest.current
      // Draws the same columns until another one comes into view.
      setLeft((known) => {
        const [before, now] = [known, element.scrollLeft].map((at) => drawnColumns(columns, frozen, at, view))
        return before!.first === now!.first && before!.last === now!.last ? known : element.scrollLeft
      })
    }
    const size = new ResizeObserver(() => setView(Math.max(200, element.clientWidth - ROW_HEAD)))
    size.observe(element)
    element.addEventListener("scroll", onScroll, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener("scroll", onScroll)
    }
  }, [element])

  const show = useCallback(
    (index: number) => {
      if (element === null) return
      const { columns, frozen, view } = latest.current
      const target = leftShowing(columns, frozen, index, element.scrollLeft, view)
      if (target !== element.scrollLeft) element.scrollLeft = target
    },
    [element]
  )
  return useMemo(() => {
    const fixed = columns.slice(0, frozen)
    const shownColumns = columns.slice(first, last)
    const end = columns.at(-1)
    const width = end === undefined ? 0 : end.start + end.width
    const frozenWidth = columns[frozen]?.start ?? width
    const widthBefore = (shownColumns[0]?.start ?? frozenWidth) - frozenWidth
    const lastShown = shownColumns.at(-1)
    const widthAfter = width - (lastShown === undefined ? frozenWidth : lastShown.start + lastShown.width)
    return { fixed, shown: shownColumns, before: widthBefore, after: widthAfter, width, show }
  }, [columns, frozen, first, last, show])
}
export type DrawnColumns = ReturnType<typeof useColumnWindow>
