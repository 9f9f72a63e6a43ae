// The part of a long list that is seen in its box, as it is scrolled, resized, and sent to a row. It begins where the reader left it.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"
import { drawn, type Place, scrolled, showing, top } from "./virtualRows.ts"

/** Rows that are drawn beyond what is seen, before and behind. */
const MORE = 10
/** The head stands over the rows. */
const HEAD = 36

/** @param kept scroll position that the list begins at */
export const useWindow = (count: number, rowHeight: number, kept: Place = top) => {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const box = useCallback((found: HTMLElement | null) => setElement(found), [])
  const [view, setView] = useState(600)
  const [place, setPlace] = useState(kept)
  const extent = { count, rowHeight, view }
  const latestState = useRef({ extent, place })
  latestState.current = { extent, place }

  useEffect(() => {
    if (element === null) return
    const onScroll = () => {
      const { extent, place } = latestState.current
      if (Math.abs(element.scrollTop - place.real) > 1) setPlace(scrolled(place, element.scrollTop, extent))
    }
    const size = new ResizeObserver(() => setView(Math.max(rowHeight, element.clientHeight - HEAD)))
    size.observe(element)
    element.addEventListener("scroll", onScroll, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener("scroll", onScroll)
    }
  }, [element, rowHeight])

  // Sent to a row, the box follows; the event of that finds it where it is.
  useLayoutEffect(() => {
    if (element !== null && Math.abs(element.scrollTop - place.real) > 1) element.scrollTop = place.real
  }, [element, place])

  const show = useCallback((row: number) => {
    const { extent, place } = latestState.current
    setPlace(showing(place, row, extent))
  }, [])
  const page = Math.max(1, Math.floor(view / rowHeight) - 1)
  return { box, element, place, show, page, ...drawn(place, extent, MORE) }
}
