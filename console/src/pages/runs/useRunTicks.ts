// Runs that are ticked in their table, one by one or from one to another with Shift: as many as one job takes.
import { useMemo, useRef, useState } from "react"
import type { Run } from "./runWords.tsx"

/** Runs that a job may name (`run_ids` of the API). */
const MOST_TICKED = 500

const none: ReadonlySet<string> = new Set()

/** @param list what the list is about: ticks of another list are not kept */
export const useRunTicks = (runs: ReadonlyArray<Run>, list: string) => {
  const [ticks, setTicks] = useState({ list, ids: none })
  const ids = ticks.list === list ? ticks.ids : none
  const lastId = useRef<string>(undefined)
  const ticked = useMemo(() => runs.filter(({ id }) => ids.has(id)), [runs, ids])
  const change = (changedIds: ReadonlyArray<string>, isTicked: boolean) => {
    const next = new Set(ticked.map(({ id }) => id))
    for (const id of changedIds)
      if (!isTicked) next.delete(id)
      else if (next.size < MOST_TICKED) next.add(id)
    setTicks({ list, ids: next })
  }
  /** @param isRange from the run that was ticked last to this one */
  const tick = (id: string, isTicked: boolean, isRange: boolean) => {
    const at = runs.findIndex((run) => run.id === id)
    const last = runs.findIndex((run) => run.id === lastId.current)
    lastId.current = id
    const range = isRange && last >= 0 ? runs.slice(Math.min(at, last), Math.max(at, last) + 1) : [runs[at]!]
    change(
      range.map((run) => run.id),
      isTicked
    )
  }
  return {
    ticked,
    ids,
    tick,
    isFull: ticked.length === MOST_TICKED,
    tickAll: (isTicked: boolean) =>
      change(
        runs.map(({ id }) => id),
        isTicked
      ),
    clear: () => setTicks({ list, ids: none })
  }
}
export type RunTicks = ReturnType<typeof useRunTicks>
