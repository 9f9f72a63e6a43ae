// Putting a list into another order by its handles: with the arrow keys, or dragged with a mouse or a finger.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react"

const moved = <A>(list: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  const otherItems = list.filter((_, at) => at !== from)
  return [...otherItems.slice(0, to), list[from]!, ...otherItems.slice(to)]
}

/** @param given as it is kept @param keep told once a new order stands */
export const useOrder = <A>(
  given: ReadonlyArray<A>,
  keyOf: (one: A) => number,
  keep: (list: ReadonlyArray<A>) => void
) => {
  const [dragged, setDragged] = useState<ReadonlyArray<A>>()
  // Current order, rendered or not: the pointer may be released before its last move is rendered.
  const currentOrder = useRef<ReadonlyArray<A>>(undefined)
  const hold = (order: ReadonlyArray<A> | undefined) => {
    currentOrder.current = order
    setDragged(order)
  }
  const list = useRef<HTMLOListElement>(null)
  const shownOrder = dragged ?? given
  const findPosition = (key: number, of = shownOrder) => of.findIndex((one) => keyOf(one) === key)

  /** Row under the pointer, by the current positions of the rows. */
  const rowAt = (y: number) => {
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    const rowIndex = rows.findIndex(({ bottom }) => y < bottom)
    return rowIndex < 0 ? rows.length - 1 : rowIndex
  }
  const handle = (key: number) => ({
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0
      const from = findPosition(key)
      if (step === 0 || from + step < 0 || from + step >= shownOrder.length) return
      event.preventDefault()
      keep(moved(shownOrder, from, from + step))
    },
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      hold(shownOrder)
    },
    onPointerMove: (event: PointerEvent) => {
      if (currentOrder.current === undefined) return
      const [from, to] = [findPosition(key, currentOrder.current), rowAt(event.clientY)]
      if (from !== to) hold(moved(currentOrder.current, from, to))
    },
    onPointerUp: () => {
      if (currentOrder.current !== undefined && findPosition(key, currentOrder.current) !== findPosition(key, given))
        keep(currentOrder.current)
      hold(undefined)
    },
    onPointerCancel: () => hold(undefined)
  })
  return { shown: shownOrder, list, handle }
}
