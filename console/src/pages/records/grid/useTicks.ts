// Rows of a grid that are ticked, for changes of all of them: up to a thousand, one by one, from one to another with Shift, or all.
import { useRef, useState } from "react"
import type { RecordRow } from "../../../api/types.ts"
import type { Sheet } from "../clip/pasteBlock.ts"

export const MOST_TICKED = 1_000

export type Ticked = ReadonlyMap<number, RecordRow>
const none: Ticked = new Map()

export const useTicks = (sheet: Sheet) => {
  const [ticked, setTicked] = useState<Ticked>(none)
  const lastIndex = useRef<number>(undefined)
  const clear = () => setTicked(none)
  const toggle = (index: number, record: RecordRow) => {
    lastIndex.current = index
    setTicked((before) => {
      const next = new Map(before)
      if (!next.delete(record.record_id) && next.size < MOST_TICKED) next.set(record.record_id, record)
      return next
    })
  }
  /** Ticks rows in their order, as many as may be. */
  const tickRows = async (from: number, to: number) => {
    if (sheet.isFormer) return
    const rows = await sheet.load(from, Math.min(to, from + MOST_TICKED))
    setTicked((before) => {
      const next = new Map(before)
      for (const record of rows) if (next.size < MOST_TICKED) next.set(record.record_id, record)
      return next
    })
  }
  const tick = (index: number, record: RecordRow, isRange: boolean) => {
    const from = lastIndex.current
    if (!isRange || from === undefined) return toggle(index, record)
    lastIndex.current = index
    void tickRows(Math.min(from, index), Math.max(from, index) + 1)
  }
  const state: "none" | "some" | "all" =
    ticked.size === 0 ? "none" : ticked.size >= Math.min(sheet.total, MOST_TICKED) ? "all" : "some"
  const toggleAll = () => (state === "none" ? void tickRows(0, sheet.total) : clear())
  return { ticked, state, tick, toggleAll, clear }
}
