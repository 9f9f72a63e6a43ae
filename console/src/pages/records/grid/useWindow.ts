// The part of a long list that is seen in its box, as it is scrolled, resized, and sent to a row.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"
import { drawn, ROW, scrolled, showing, top } from "./virtualRows.ts"

/** Rows that are drawn beyond what is seen, before and behind. */
const MORE = 10
/** The head stands over the rows. */
const HEAD = 41

export const useWindow = (count: number) => {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const box = useCallback((found: HTMLElement | null) => setElement(found), [])
  const [view, setView] = useState(600)
  const [place, setPlace] = useState(top)
  const latestState = useRef({ count, place, view })
  latestState.current = { count, place, view }

  useEffect(() => {
    if (element === null) return
    const onScroll = () => {
      const { count, place, view } = latestState.current
      setPlace(scrolled(place, element.scrollTop, count, view))
    }
    const size = new ResizeObserver(() => setView(Math.max(ROW, element.clientHeight - HEAD)))
    size.observe(element)
    element.addEventListener("scroll", onScroll, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener("scroll", onScroll)
    }
  }, [element])

  // Sent to a row, the box follows; the event of that finds it where it is.
  useLayoutEffect(() => {
    if (element !== null && Math.abs(element.scrollTop - place.real) > 1) element.scrollTop = place.real
  }, [element, place])

  const show = (row: number) => {
    const { count, place, view } = latestState.current
    setPlace(showing(place, row, count, view))
  }
  return { box, show, page: Math.max(1, Math.floor(view / ROW) - 1), ...drawn(place, count, view, MORE) }
}
