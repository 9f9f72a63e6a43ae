// Putting a list into another order by its handles: with the arrow keys, or dragged with a mouse or a finger.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react"

const moved = <A>(list: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  const rest = list.filter((_, at) => at !== from)
  return [...rest.slice(0, to), list[from]!, ...rest.slice(to)]
}

/** @param given as it is kept @param keep told once a new order stands */
export const useOrder = <A>(
  given: ReadonlyArray<A>,
  keyOf: (one: A) => number,
  keep: (list: ReadonlyArray<A>) => void
) => {
  const [dragged, setDragged] = useState<ReadonlyArray<A>>()
  // Current order, rendered or not: the pointer may be released before its last move is rendered.
  const held = useRef<ReadonlyArray<A>>(undefined)
  const hold = (order: ReadonlyArray<A> | undefined) => {
    held.current = order
    setDragged(order)
  }
  const list = useRef<HTMLOListElement>(null)
  const shown = dragged ?? given
  const place = (key: number, of = shown) => of.findIndex((one) => keyOf(one) === key)

  /** Row under the pointer, by the current positions of the rows. */
  const rowAt = (y: number) => {
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    const at = rows.findIndex(({ bottom }) => y < bottom)
    return at < 0 ? rows.length - 1 : at
  }
  const handle = (key: number) => ({
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0
      const from = place(key)
      if (step === 0 || from + step < 0 || from + step >= shown.length) return
      event.preventDefault()
      keep(moved(shown, from, from + step))
    },
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      hold(shown)
    },
    onPointerMove: (event: PointerEvent) => {
      if (held.current === undefined) return
      const [from, to] = [place(key, held.current), rowAt(event.clientY)]
      if (from !== to) hold(moved(held.current, from, to))
    },
    onPointerUp: () => {
      if (held.current !== undefined && place(key, held.current) !== place(key, given)) keep(held.current)
      hold(undefined)
    },
    onPointerCancel: () => hold(undefined)
  })
  return { shown, list, handle }
}
