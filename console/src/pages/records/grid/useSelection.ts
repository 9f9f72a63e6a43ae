// Keeps the selection of a grid: moved by keys, scrolled into view, announced.
import { type KeyboardEvent, useCallback, useState } from "react"
import {
  type CellPlace,
  clampPlace,
  extendTo,
  type GridSize,
  moveByKey,
  type Selection,
  selectCell,
  shiftSelection
} from "./selection.ts"

interface Selected {
  readonly size: GridSize
  readonly kept: Selection
  /** Scrolls to a cell. */
  readonly show: (place: CellPlace) => void
}
export const useSelection = ({ kept, show, size }: Selected) => {
  const [selection, setSelection] = useState(kept)
  const { columns, page, rows } = size
  const go = useCallback(
    (place: CellPlace) => {
      const target = clampPlace(place, { rows, columns, page })
      setSelection(selectCell(target))
      show(target)
    },
    [rows, columns, page, show]
  )
  const extend = useCallback(
    (place: CellPlace) => {
      const target = clampPlace(place, { rows, columns, page })
      setSelection((before) => extendTo(before, target))
      show(target)
    },
    [rows, columns, page, show]
  )
  const shift = (by: CellPlace) => setSelection((before) => shiftSelection(before, by, size))
  /** @returns true if the key moved the selection */
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.altKey) return false
    const key = { key: event.key, isFar: event.ctrlKey || event.metaKey, isShift: event.shiftKey }
    const next = moveByKey(selection, key, size)
    if (next === undefined) return false
    event.preventDefault()
    setSelection(next)
    // All is selected where the reader is.
    if (next.head !== selection.head && key.key.toLowerCase() !== "a") show(next.head)
    return true
  }
  return { selection, setSelection, go, extend, onKey, shift }
}
